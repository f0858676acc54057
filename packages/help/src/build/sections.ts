import type { Token, Tokens } from "marked";

/** Text below a heading. */
export interface Section {
	/** The heading's anchor; that of the page's title is the page itself. */
	readonly id: string;
	readonly heading: string;
	readonly text: string;
}

/** Deeper headings belong to the section above. */
const DEEPEST = 3;

/** Cuts a page into its sections; `headings` are those of its tokens, in order. */
export function sectionsOf(
	tokens: readonly Token[],
	headings: readonly { readonly id: string; readonly text: string; readonly depth: number }[],
): readonly Section[] {
	const sections: { id: string; heading: string; parts: string[] }[] = [];
	let met = 0;
	for (const token of tokens) {
		const heading = token.type === "heading" ? headings[met++] : undefined;
		if (heading !== undefined && heading.depth <= DEEPEST)
			sections.push({ id: heading.depth === 1 ? "" : heading.id, heading: heading.text, parts: [] });
		else sections.at(-1)?.parts.push(textOf(token));
	}
	return sections.map(({ id, heading, parts }) => ({
		id,
		heading,
		text: parts.join(" ").replaceAll(/\s+/g, " ").trim(),
	}));
}

/** The words of a token, without markup. */
function textOf(token: Token): string {
	if (token.type === "table") {
		const { header, rows } = token as Tokens.Table;
		return [header, ...rows].map((row) => row.map((cell) => textsOf(cell.tokens)).join(" ")).join(" ");
	}
	if (token.type === "list") return (token as Tokens.List).items.map((item) => textsOf(item.tokens)).join(" ");
	// Answers that are shown hold every field of a report: they would be found for everything.
	if (token.type === "html" || (token.type === "code" && token["lang"] === "json")) return "";
	if ("tokens" in token && token.tokens !== undefined) return textsOf(token.tokens);
	return "text" in token ? token.text : " ";
}

const textsOf = (tokens: readonly Token[]): string => tokens.map(textOf).join("");
