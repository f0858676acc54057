/** A piece of a text. */
interface Piece {
	readonly text: string;
	/** One of the words that were looked for. */
	readonly isFound: boolean;
}

const BEFORE = 50;
const LENGTH = 170;

/** The part of a text around the first of these words, with all of them told apart. */
export function snippetOf(text: string, terms: readonly string[]): readonly Piece[] {
	const words = terms.map((term) => term.replaceAll(/[^\p{L}\p{N}_]/gu, "")).filter((term) => term !== "");
	const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(${words.sort((a, b) => b.length - a.length).join("|")})`, "giu");
	const at = words.length === 0 ? -1 : text.search(pattern);
	const start = at <= BEFORE ? 0 : text.indexOf(" ", at - BEFORE) + 1;
	const cut = text.slice(start, start + LENGTH);
	const shown = `${start > 0 ? "… " : ""}${cut}${start + LENGTH < text.length ? " …" : ""}`;
	if (words.length === 0) return [{ text: shown, isFound: false }];
	return shown
		.split(pattern)
		.map((part, index) => ({ text: part, isFound: index % 2 === 1 }))
		.filter((piece) => piece.text !== "");
}
