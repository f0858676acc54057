import { accessLog } from "./access-log/access-log.ts";
import { type ImportedItem, type ImportedSum, type ImportFormat, type ImportSource, UnreadableFile } from "./format.ts";
import { ga4 } from "./ga4.ts";
import { linesOf, utf8Of } from "./lines-of.ts";
import { matomo } from "./matomo.ts";
import { plausible } from "./plausible.ts";
import { umami } from "./umami.ts";

/** Rows fetched by a migration job: sums as JSON, one a line, below a line that names their kind. */
const legacyRows: ImportFormat = {
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

export const importFormats: Readonly<Partial<Record<ImportSource, ImportFormat>>> = {
	ga4_csv: ga4,
	plausible_zip: plausible,
	umami_csv: umami,
	matomo_csv: matomo,
	access_log: accessLog,
	legacy_service: legacyRows,
};

/** The zone of times without an offset in files of a source, unless the user names one. */
export const defaultTimezone = (source: ImportSource, siteTimezone: string): string =>
	importFormats[source]?.timezone ?? siteTimezone;
