import { AsyncLocalStorage } from "node:async_hooks";
import type { Reader } from "./principal.ts";

interface Delegation {
	readonly caller: Reader;
	readonly countsReports: boolean;
}

const delegated = new AsyncLocalStorage<Delegation>();

/**
 * Runs `work`. Requests that it injects into the app count as those of `caller`, who need not show a credential again;
 * the guard of each route is checked as ever. The outer request stands for them in the limits, but with `countsReports`
 * those of a key to reports count as such.
 */
export function actingAs<T>(
	caller: Reader,
	work: () => Promise<T>,
	{ countsReports = false }: { readonly countsReports?: boolean } = {},
): Promise<T> {
	// Awaited inside, as an injected request begins when it is awaited.
	return delegated.run({ caller, countsReports }, async () => await work());
}

/** On whose behalf the present request was injected; undefined for a request from outside. */
export const currentDelegation = (): Delegation | undefined => delegated.getStore();
