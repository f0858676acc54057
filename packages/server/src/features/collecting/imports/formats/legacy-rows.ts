import { type ImportedItem, type ImportedSum, type ImportFormat, UnreadableFile } from "./format.ts";
import { linesOf, utf8Of } from "./lines-of.ts";

/** Rows fetched by a migration job: sums as JSON, one a line, below a line that names their kind. */
export const legacyRows: ImportFormat = {
	source: "legacy_service",
	check: async () => undefined,
	async *read(file) {
		for await (const { texts, first } of linesOf(file)) {
			yield texts.flatMap((text, index) => {
				const line = first + index;
				return line > 1 && text !== "" ? [itemOf(utf8Of(text), line)] : [];
			});
		}
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
