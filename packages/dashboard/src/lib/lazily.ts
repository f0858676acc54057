import { lazy } from "react";
import { isAnswering } from "./is-answering.ts";

const againMs = 3_000;

/**
 * A component whose script comes when it is needed first. Where the service does not answer it waits until it does: a part that could
 * not be loaded must not take the screen along.
 */
export const lazily: typeof lazy = (load) => lazy(() => persistently(load));

async function persistently<T>(load: () => Promise<T>): Promise<T> {
	for (;;) {
		try {
			return await load();
		} catch (error) {
			if (await isAnswering()) throw error;
			await new Promise((resolve) => setTimeout(resolve, againMs));
		}
	}
}
