import type { Options } from "minisearch";

/** A section of the help, as it is found. */
export interface Entry {
	/** Address with anchor. */
	readonly id: string;
	/** Title of the page. */
	readonly page: string;
	/** Of the section; the same as `page` for what stands below the title. */
	readonly heading: string;
	readonly text: string;
}

/** Names such as `compare_align` and `DATA_DIR` are found as a whole and by their parts. */
function wordsOf(text: string): string[] {
	const whole = text.match(/[\p{L}\p{N}_]+/gu) ?? [];
	return whole.flatMap((word) => (word.includes("_") ? [word, ...word.split("_").filter(Boolean)] : word));
}

/** How the index is made: the build and the browser have to do it alike. */
export const indexOptions: Options<Entry> = {
	fields: ["page", "heading", "text"],
	storeFields: ["page", "heading", "text"],
	tokenize: wordsOf,
};
