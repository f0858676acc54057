import { beginningOf } from "../file-kind.ts";
import { type FormatContext, type ImportFile, type ImportFormat, UnreadableFile } from "../format.ts";
import { type Lines, linesOf } from "../lines-of.ts";
import type { LogItem } from "./combined-line.ts";
import { jsonFields, logLines } from "./json-line.ts";

/** Lines that are looked at before a file is taken. */
const LOOKED_AT = 200;

/** Access logs of web servers: the combined format, and JSON by the line. Each line may be the one or the other. */
export const accessLog: ImportFormat = { source: "access_log", check, read };

async function check(file: ImportFile, context: FormatContext): Promise<void> {
	const unknown = Object.values(context.columnMap).find((ours) => !(ours in jsonFields));
	if (unknown !== undefined) {
		const names = Object.keys(jsonFields).join(", ");
		throw new UnreadableFile(`A field of ours is one of ${names}`, "column_map");
	}
	const { kind } = await beginningOf(file);
	if (kind !== undefined) throw new UnreadableFile("A log is a text, plain or packed with gzip");
	const itemsOf = logItems(context);
	let looked = 0;
	let first: string | undefined;
	for await (const lines of linesOf(file)) {
		for (const item of itemsOf(lines)) {
			if (item.kind === "hit" || item.reason !== "malformed") return;
			first ??= `line ${item.line} has ${item.problem}`;
		}
		looked += lines.texts.length;
		if (looked >= LOOKED_AT) break;
	}
	throw new UnreadableFile(
		first === undefined
			? "The file, or its beginning, is empty"
			: `No line of the beginning is one of an access log in the combined format or in JSON by the line: ${first}`,
	);
}

async function* read(file: ImportFile, context: FormatContext): AsyncGenerator<readonly LogItem[]> {
	const itemsOf = logItems(context);
	for await (const lines of linesOf(file)) yield itemsOf(lines);
}

/** Reads lines that come together; an empty one is no item. */
function logItems({ columnMap, timezone }: FormatContext): (lines: Lines) => LogItem[] {
	const lineOf = logLines(columnMap, timezone);
	return ({ texts, first }) => {
		const items: LogItem[] = [];
		for (let index = 0; index < texts.length; index++) {
			const text = texts[index] ?? "";
			// The end of the file, or a line between two.
			if (text !== "" && text !== "\r") items.push(lineOf(text, first + index));
		}
		return items;
	};
}
