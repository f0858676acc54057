/** The tools whose files can be handed in. */
export const sources = ["ga4_csv", "plausible_zip", "umami_csv", "matomo_csv", "access_log"] as const;
export type Source = (typeof sources)[number];

/** Result of reading the beginning of a file. */
export interface Look {
	readonly source: Source;
	/** The names of its columns, where it is a table. */
	readonly columns: readonly string[];
}

const beginning = 64 * 1024;
const mostColumns = 60;

/** Guesses the tool that wrote a file by its first bytes and its name. */
export async function lookAt(file: File): Promise<Look> {
	const bytes = new Uint8Array(await file.slice(0, beginning).arrayBuffer());
	if (bytes[0] === 0x50 && bytes[1] === 0x4b) return { source: "plausible_zip", columns: [] };
	if (bytes[0] === 0x1f && bytes[1] === 0x8b) return { source: "access_log", columns: [] };
	const isWide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
	const text = new TextDecoder(isWide ? (bytes[0] === 0xff ? "utf-16le" : "utf-16be") : "utf-8").decode(bytes);
	return look(text, isWide);
}

/** The same of its text. */
export function look(text: string, isWide = false): Look {
	const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
	const header = lines.find((line) => !/^"?#/.test(line)) ?? "";
	if (/^\{/.test(header) || / \[\d{2}\/\w{3}\/\d{4}:/.test(header)) return { source: "access_log", columns: [] };
	const columns = cellsOf(header).slice(0, mostColumns);
	const names = new Set(columns.map((name) => name.toLowerCase()));
	if (names.has("visit_id") && names.has("url_path")) return { source: "umami_csv", columns: [] };
	const isMatomo = isWide || names.has("nb_visits") || [...names].some((name) => name.startsWith("metadata_"));
	return { source: isMatomo ? "matomo_csv" : "ga4_csv", columns };
}

/** The cells of a line, by whichever delimiter it has most of. */
function cellsOf(line: string): string[] {
	const bare = line.replace(/^\ufeff/, "");
	const unquoted = bare.replace(/"[^"]*"/g, "");
	const [delimiter = ","] = [",", ";", "\t"].sort((a, b) => unquoted.split(b).length - unquoted.split(a).length);
	const cells = bare.match(new RegExp(`("([^"]|"")*"|[^${delimiter}]+)`, "g")) ?? [];
	return [...new Set(cells.map((cell) => cell.replace(/^"|"$/g, "").replaceAll('""', '"').trim()))].filter(Boolean);
}
