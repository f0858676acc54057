import {
	type FormatContext,
	type ImportedItem,
	type ImportFile,
	type ImportFormat,
	UnreadableFile,
} from "../format.ts";
import { linesOf } from "../lines-of.ts";
import { combinedLine } from "./combined-line.ts";
import { jsonFields, jsonLines } from "./json-line.ts";
import { logTimes } from "./log-time.ts";

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
	let looked = 0;
	for await (const items of read(file, context)) {
		if (items.some((item) => item.kind === "hit" || item.reason !== "malformed")) return;
		looked += items.length;
		if (looked >= LOOKED_AT) break;
	}
	throw new UnreadableFile(
		looked === 0
			? "The file is empty"
			: "No line of the beginning is one of an access log: the combined format or JSON by the line is needed",
	);
}

async function* read(file: ImportFile, { columnMap }: FormatContext): AsyncGenerator<readonly LogItem[]> {
	const times = logTimes();
	const jsonLine = jsonLines(columnMap);
	for await (const { texts, first } of linesOf(file)) {
		const items: LogItem[] = [];
		for (let index = 0; index < texts.length; index++) {
			const text = texts[index] ?? "";
			// The end of the file, or a line between two.
			if (text === "" || text === "\r") continue;
			const item =
				text.charCodeAt(0) === 0x7b ? jsonLine(text, first + index) : combinedLine(text, first + index, times);
			if (item.kind !== "sum") items.push(item);
		}
		yield items;
	}
}

type LogItem = Exclude<ImportedItem, { kind: "sum" }>;
