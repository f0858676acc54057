/** A stretch of a line. */
export interface Span {
	readonly look: "plain" | "strong" | "emphasis" | "code";
	readonly text: string;
}

/** A part of an answer. */
export type Block =
	| { readonly kind: "paragraph"; readonly spans: readonly Span[] }
	| { readonly kind: "heading"; readonly spans: readonly Span[] }
	| { readonly kind: "list"; readonly isOrdered: boolean; readonly items: readonly (readonly Span[])[] }
	| { readonly kind: "code"; readonly text: string };

const fence = /^```/;
const bullet = /^\s*[-*•]\s+/;
const number = /^\s*\d{1,3}[.)]\s+/;
const heading = /^#{1,6}\s+/;

/**
 * The small subset of Markdown that answers may use. All other characters, including links and images, are shown as
 * text, so that the text of a model runs and loads nothing.
 */
export function readMarked(text: string): readonly Block[] {
	const lines = text.replaceAll("\r\n", "\n").split("\n");
	const blocks: Block[] = [];
	for (let at = 0; at < lines.length; ) {
		const taken = takeBlock(lines, at);
		if (taken.block !== undefined) blocks.push(taken.block);
		at = taken.next;
	}
	return blocks;
}

interface Taken {
	readonly block?: Block;
	readonly next: number;
}

function takeBlock(lines: readonly string[], at: number): Taken {
	const line = lines[at] ?? "";
	if (line.trim() === "") return { next: at + 1 };
	if (fence.test(line)) return takeCode(lines, at + 1);
	if (heading.test(line)) {
		return { block: { kind: "heading", spans: readSpans(line.replace(heading, "")) }, next: at + 1 };
	}
	const mark = [bullet, number].find((one) => one.test(line));
	if (mark !== undefined) {
		const end = endOf(lines, at, (one) => mark.test(one));
		const items = lines.slice(at, end).map((one) => readSpans(one.replace(mark, "")));
		return { block: { kind: "list", isOrdered: mark === number, items }, next: end };
	}
	const isText = (one: string) => one.trim() !== "" && ![fence, heading, bullet, number].some((mark) => mark.test(one));
	const end = endOf(lines, at, isText);
	return { block: { kind: "paragraph", spans: readSpans(lines.slice(at, end).join("\n")) }, next: end };
}

function takeCode(lines: readonly string[], from: number): Taken {
	const end = endOf(lines, from, (line) => !fence.test(line));
	return { block: { kind: "code", text: lines.slice(from, end).join("\n") }, next: end + 1 };
}

/** The first line from `at` on that is another one. */
function endOf(lines: readonly string[], at: number, isOne: (line: string) => boolean): number {
	const other = lines.slice(at).findIndex((line) => !isOne(line));
	return other < 0 ? lines.length : at + other;
}

const spans = /\*\*([^*\n]+)\*\*|`([^`\n]+)`|(?<![\w*])[*_]([^*_\s][^*_\n]*)[*_](?![\w*])/g;

function readSpans(text: string): readonly Span[] {
	const found: Span[] = [];
	let at = 0;
	for (const match of text.matchAll(spans)) {
		if (match.index > at) found.push({ look: "plain", text: text.slice(at, match.index) });
		const [whole, strong, code, emphasis] = match;
		if (strong !== undefined) found.push({ look: "strong", text: strong });
		else if (code !== undefined) found.push({ look: "code", text: code });
		else found.push({ look: "emphasis", text: emphasis ?? "" });
		at = match.index + whole.length;
	}
	if (at < text.length) found.push({ look: "plain", text: text.slice(at) });
	return found;
}
