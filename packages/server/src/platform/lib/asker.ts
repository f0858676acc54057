import { AsyncLocalStorage } from "node:async_hooks";

/** Who waits for an answer: what shares scarce means fairly, and stops work that nobody waits for any more. */
export interface Asker {
	/** Who is counted: a key, a grant or a user. */
	readonly id: string;
	/** Whose turn it is: the organization of the site asked about, else the asker itself. */
	readonly tenant: string;
	/** `background` for exports, alerts and other work that nobody looks at while it runs. */
	readonly kind: "interactive" | "background";
	/** Aborts when nobody waits any more. */
	readonly signal: AbortSignal;
}

const storage = new AsyncLocalStorage<Asker | undefined>();

/** The asker of the work at hand; undefined for what the service does on its own. */
export const currentAsker = (): Asker | undefined => storage.getStore();

/** Does `work`, and whatever it begins, for an asker; for none when undefined. */
export const askedBy = <Result>(asker: Asker | undefined, work: () => Result): Result => storage.run(asker, work);
