/** How a condition compares. Texts that are no longer than a word need no expression. */
export const hows = ["contains", "is", "starts_with", "ends_with", "matches"] as const;
export type How = (typeof hows)[number];

/** A pattern of a rule as people write it. */
interface Condition {
	readonly how: How;
	readonly text: string;
}

const signs = /[\\^$.|?*+()[\]{}]/g;
// Letters and escaped signs, perhaps between the ends of the text.
const plain = /^(\^?)((?:[^\\^$.|?*+()[\]{}]|\\[\\^$.|?*+()[\]{}])*)(\$?)$/;

/** A stored expression as a condition; one that says more than a text is an expression. */
export function readPattern(pattern: string | null): Condition {
	if (pattern === null || pattern === "") return { how: "contains", text: "" };
	const [, start, body = "", end] = plain.exec(pattern) ?? [];
	if (start === undefined) return { how: "matches", text: pattern };
	const text = body.replaceAll(/\\(.)/g, "$1");
	if (start === "") return { how: end === "" ? "contains" : "ends_with", text };
	return { how: end === "" ? "starts_with" : "is", text };
}

/** Its counterpart; null for a condition that says nothing. */
export function writePattern({ how, text }: Condition): string | null {
	if (text === "") return null;
	if (how === "matches") return text;
	const body = text.replaceAll(signs, "\\$&");
	const [start, end] = [
		how === "is" || how === "starts_with" ? "^" : "",
		how === "is" || how === "ends_with" ? "$" : "",
	];
	return `${start}${body}${end}`;
}
