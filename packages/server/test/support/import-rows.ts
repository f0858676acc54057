import { Readable } from "node:stream";
import { noSiteRules } from "../../src/analytics/attribution/site-rules.ts";
import { type EventColumn, eventColumns } from "../../src/analytics/model/event-columns.ts";
import { checkContent } from "../../src/features/collecting/imports/formats/file-kind.ts";
import type { ImportFile, ImportSource } from "../../src/features/collecting/imports/formats/format.ts";
import { defaultTimezone, importFormats } from "../../src/features/collecting/imports/formats/index.ts";
import { compileIntake, type DayPlan, Intake } from "../../src/features/collecting/imports/intake.ts";
import type { ImportReport } from "../../src/features/collecting/imports/report.ts";
import { addWarnings } from "../../src/features/collecting/imports/report-warnings.ts";

const columns = Object.keys(eventColumns);
type Row = Readonly<Record<EventColumn, string>>;

/** What an import makes of a file: its report, and the rows for the event store as texts. */
export interface ReadImport {
	readonly report: ImportReport;
	readonly rows: readonly Row[];
	/** A measure by the values of a column, of all days or of one, where it is not zero. */
	sums(measure: EventColumn, column: EventColumn, date?: string): Record<string, number>;
}

interface ReadOptions {
	/** Of the site; UTC when absent. */
	readonly timezone?: string;
	/** Of the file, where its user names one. */
	readonly fileTimezone?: string;
	readonly columnMap?: Readonly<Record<string, string>>;
	readonly days?: Partial<DayPlan>;
}

/** A file whose content comes in pieces of 700 bytes. */
export function fileOf(content: Buffer | string): ImportFile {
	const bytes = Buffer.from(content);
	const pieces = Array.from({ length: Math.ceil(bytes.length / 700) }, (_, at) =>
		bytes.subarray(at * 700, at * 700 + 700),
	);
	return { name: "export", bytes: bytes.length, open: async () => Readable.from(pieces, { objectMode: false }) };
}

/** Checks and reads a file as an import of 21 November 2026 for the site of shop.example does, in this process. */
export async function readImport(
	source: ImportSource,
	content: Buffer | string,
	{ timezone = "UTC", fileTimezone = defaultTimezone(source, timezone), columnMap = {}, days }: ReadOptions = {},
): Promise<ReadImport> {
	const format = importFormats[source];
	if (format === undefined) throw new Error(`No format reads ${source}`);
	const file = fileOf(content);
	const context = { timezone: fileTimezone, columnMap };
	await checkContent(format, file, context);
	const settings = compileIntake({
		...{
			siteId: "shop",
			importId: "import-1",
			timezone,
			fileTimezone,
			botThreshold: 80,
			salt: "",
			timeoutMs: 1_800_000,
		},
		days: { from: null, to: null, earliest: "1990-01-01", today: "2026-11-21", own: [], imported: [], ...days },
		...{ rules: noSiteRules, domains: ["shop.example"], utmMappings: [], paymentDomains: [] },
	});
	const rows: Row[] = [];
	const intake = new Intake(settings, (line) => {
		const cells = line.slice(0, -1).split("\t");
		rows.push(Object.fromEntries(columns.map((name, at) => [name, cells[at]])) as Row);
	});
	for await (const items of format.read(file, context)) for (const item of items) intake.take(item);
	addWarnings(intake, format, settings);
	const sums: ReadImport["sums"] = (measure, column, date) => {
		const totals: Record<string, number> = {};
		for (const row of rows) {
			const value = Number(row[measure]);
			if (value !== 0 && (date ?? row.date) === row.date) totals[row[column]] = (totals[row[column]] ?? 0) + value;
		}
		return totals;
	};
	return { report: intake.result.report(), rows, sums };
}

/** Totals of a report that are not zero. */
export const totalsOf = ({ report }: ReadImport): Record<string, number> =>
	Object.fromEntries(Object.entries(report.totals).filter(([, value]) => value !== 0));

/** The lines that are left out, by reason; ten of each at most. */
export const leftOut = ({ report }: ReadImport): Record<string, readonly number[]> =>
	Object.fromEntries(report.skip_reasons.map(({ reason, sample_lines }) => [reason, sample_lines]));
