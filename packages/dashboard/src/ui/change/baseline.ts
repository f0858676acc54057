import { createContext } from "react";

/** The site's first day with data, below an element whose figures are compared with days that begin before it. */
export const Baseline = createContext<string | undefined>(undefined);

/** What an answer says of it in its `meta`. */
export function baselineOf(answer: object | undefined): string | undefined {
	const { meta } = (answer ?? {}) as { readonly meta?: { readonly baseline_start?: string } };
	return meta?.baseline_start;
}
