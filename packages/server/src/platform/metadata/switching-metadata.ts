import type { Metadata } from "./metadata.ts";

/** A metadata store in whose place another one can step. */
export interface SwitchingMetadata {
	readonly metadata: Metadata;
	/** From now on everything asks this one. */
	switchTo(next: Metadata): void;
}

/** `metadata` is the first one until another steps in its place; statements and transactions end where they began. */
export function switchingMetadata(first: Metadata): SwitchingMetadata {
	let current = first;
	return {
		metadata: new Proxy(first, {
			get: (_first, name) => {
				const value: unknown = Reflect.get(current, name, current);
				return typeof value === "function" ? value.bind(current) : value;
			},
		}),
		switchTo: (next) => {
			current = next;
		},
	};
}
