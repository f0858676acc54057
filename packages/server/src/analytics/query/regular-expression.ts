import { RE2JS } from "re2js";

// Far beyond any real filter, and small enough for the engine's memory limit on compiled expressions.
const MAX_LENGTH = 1000;

/** True for an expression that the engine's RE2 takes; it reads an expression as text that a NUL would end. */
export function isRegularExpression(pattern: string): boolean {
	if (pattern.length > MAX_LENGTH || pattern.includes("\0")) return false;
	try {
		RE2JS.compile(pattern);
		return true;
	} catch {
		return false;
	}
}
