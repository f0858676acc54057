import { AsyncLocalStorage } from "node:async_hooks";
import type { Caller } from "./principal.ts";

const delegated = new AsyncLocalStorage<Caller>();

/**
 * Runs `work`. Requests that it injects into the app count as those of `caller`, who need not show a credential again;
 * the guard of each route is checked as ever.
 */
export function actingAs<T>(caller: Caller, work: () => Promise<T>): Promise<T> {
	// Awaited inside, as an injected request begins when it is awaited.
	return delegated.run(caller, async () => await work());
}

/** The caller on whose behalf the present request was injected; undefined for a request from outside. */
export const delegatingCaller = (): Caller | undefined => delegated.getStore();
