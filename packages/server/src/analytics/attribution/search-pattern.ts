import { RE2JS } from "re2js";

/** Instructions that an expression may compile to; the time a match takes grows with them. */
const MAX_INSTRUCTIONS = 500;

/** Says whether a text contains a match. */
export type TextTest = (text: string) => boolean;

/**
 * Compiles a regular expression that a user wrote: RE2 syntax, case-insensitive, unanchored, linear time.
 * Undefined when it is not a valid expression, or one that repeats so much that the path of a hit cannot afford it.
 */
export function compilePattern(pattern: string): TextTest | undefined {
	try {
		const compiled = RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE);
		if (compiled.programSize() > MAX_INSTRUCTIONS) return undefined;
		return (text) => compiled.test(text);
	} catch {
		return undefined;
	}
}

const WILDCARDS = /\*+/;

/**
 * Compiles a pattern of paths or names: `*` stands for any characters but `/`, `**` for any characters, everything else for itself,
 * from beginning to end. Takes linear time.
 */
export function compileWildcards(pattern: string): TextTest {
	if (!WILDCARDS.test(pattern)) return (text) => text === pattern;
	const compiled = RE2JS.compile(wildcardExpression(pattern));
	return (text) => compiled.test(text);
}

/** The pattern as a regular expression of RE2, for the event store. */
export function wildcardExpression(pattern: string): string {
	const source = pattern.replace(/\*+|[^*]+/g, (part) =>
		part === "*" ? "[^/]*" : part.startsWith("*") ? ".*" : RE2JS.quote(part),
	);
	return `^(?s:${source})$`;
}
