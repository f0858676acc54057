import { createInterface } from "node:readline";
import { type ImportedItem, type ImportedSum, type ImportFormat, UnreadableFile } from "./format.ts";

const TOGETHER = 500;

/** What a migration job has fetched: sums as JSON, one a line, below a line that says of what. */
export const legacyRows: ImportFormat = {
	source: "legacy_service",
	check: async () => undefined,
	async *read(file) {
		let line = 0;
		let together: ImportedItem[] = [];
		for await (const text of createInterface({ input: await file.open() })) {
			line++;
			if (line > 1 && text !== "") together.push(itemOf(text, line));
			if (together.length < TOGETHER) continue;
			yield together;
			together = [];
		}
		yield together;
	},
};

function itemOf(text: string, line: number): ImportedItem {
	try {
		const { at, dimensions, measures } = JSON.parse(text) as Omit<ImportedSum, "kind" | "line">;
		return { kind: "sum", line, at, dimensions, measures };
	} catch {
		throw new UnreadableFile(`Line ${line} is not one that the service wrote`);
	}
}
