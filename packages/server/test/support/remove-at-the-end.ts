import { after } from "node:test";

/** Where the runner of the tests collects what its files share. */
const SHARED = Symbol.for("footfall.tests.shared");

interface Shared {
	/** Handles of it that keep the process alive, as named by `process.getActiveResourcesInfo`. */
	readonly keepsOpen: () => readonly string[];
	readonly remove: () => Promise<void>;
}

const collected: Shared[] | undefined = Reflect.get(globalThis, SHARED);

/** True when the runner of the tests runs several files in this process. */
export const isRunTogether = collected !== undefined;

/** Lets the test files that run in one process share something: it is removed after the last, or after the only one. */
export function removeAtTheEnd(shared: Shared): void {
	if (collected === undefined) after(shared.remove);
	else collected.push(shared);
}
