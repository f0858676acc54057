import { AsyncLocalStorage } from "node:async_hooks";

/** The caller that waits for an answer: the basis of fair sharing, and of cancelling abandoned work. */
export interface Asker {
	/** Caller: a key, a grant or a user. */
	readonly id: string;
	/** Tenant: the organization of the queried site, else the caller itself. */
	readonly tenant: string;
	/** `background` for exports, alerts and other work without a waiting user. */
	readonly kind: "interactive" | "background";
	/** Aborts when the last waiting caller has left. */
	readonly signal: AbortSignal;
}

const storage = new AsyncLocalStorage<Asker | undefined>();

/** The asker of the work at hand; undefined for what the service does on its own. */
export const currentAsker = (): Asker | undefined => storage.getStore();

/** Runs `work`, and everything it starts, for a caller; for none if undefined. */
export const askedBy = <Result>(asker: Asker | undefined, work: () => Result): Result => storage.run(asker, work);
