import { createContext } from "react";

/** The site's first day with data, below an element whose figures are compared with days that begin before it. */
export const Baseline = createContext<string | undefined>(undefined);

/** `baseline_start` in the `meta` of an answer; undefined when the compared period has data from its first day. */
export function baselineOf(answer: object | undefined): string | undefined {
	const { meta } = (answer ?? {}) as { readonly meta?: { readonly baseline_start?: string } };
	return meta?.baseline_start;
}
