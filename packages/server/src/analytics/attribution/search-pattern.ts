import { RE2JS } from "re2js";

/** Says whether a text contains a match. */
export type TextTest = (text: string) => boolean;

/**
 * Compiles a regular expression that a user wrote: RE2 syntax, case-insensitive, unanchored, linear time.
 * Undefined when it is not a valid expression.
 */
export function compilePattern(pattern: string): TextTest | undefined {
	try {
		const compiled = RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE);
		return (text) => compiled.test(text);
	} catch {
		return undefined;
	}
}
