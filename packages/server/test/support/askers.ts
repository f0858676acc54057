import type { Asker } from "../../src/platform/lib/asker.ts";

/** A query that ends by being cancelled alone. */
export const ENDLESS = "SELECT count() FROM numbers(1000000000000) WHERE sipHash64(number) = 1";

/** An interactive asker who can leave. */
export function person(id: string): Asker & { readonly leave: () => void } {
	const gone = new AbortController();
	return {
		id,
		tenant: `tenant of ${id}`,
		kind: "interactive",
		signal: gone.signal,
		leave: () => gone.abort(new Error(`${id} is gone`)),
	};
}
