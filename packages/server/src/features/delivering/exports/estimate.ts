import type { Readable } from "node:stream";
import type { Static } from "typebox";
import { countFileRows, fileContent, type WrittenFormat } from "../../../analytics/query/files/file-content.ts";
import { daysIn } from "../../../analytics/query/question/date-range.ts";
import type { EventStore } from "../../../platform/event-store/event-store.ts";
import { beginFile } from "../../../platform/http/begin-file.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import type { Lane } from "../../../platform/lib/lane.ts";
import { type ExportFormat, type ExportShape, exportFormats } from "./export-types.ts";
import { type ExportInput, type ExportSite, type ParsedExport, parseExport } from "./parse.ts";
import { questionOf } from "./question.ts";
import type { ExportEstimate } from "./schemas.ts";

/** From so many rows on an export is made in the background. */
export const BACKGROUND_ROWS = 10_000;

/** Least rows that the engine writes in a second. */
const ROWS_PER_SECOND = 300_000;

export type Estimate = Static<typeof ExportEstimate>;

export async function countRows(
	deps: { readonly eventStore: EventStore; readonly clock: Clock },
	site: ExportSite,
	parsed: ParsedExport,
): Promise<number> {
	const { shape, range } = parsed;
	if (shape.of === "groups" && shape.everyDay) return daysIn(range);
	return countFileRows(deps, questionOf(site, deps.clock, parsed));
}

export function estimateOf(shape: ExportShape, format: ExportFormat, rows: number): Estimate {
	const bytes = Math.round(rows * shape.rowBytes * exportFormats[format].sizeFactor);
	return {
		estimated_rows: rows,
		estimated_size_bytes: bytes,
		estimated_size_human: humanSize(bytes),
		recommended_format: shape.of === "events" ? "json" : "csv",
		will_use_background_job: rows > BACKGROUND_ROWS,
		estimated_duration_seconds: Math.max(1, Math.ceil(rows / ROWS_PER_SECOND)),
	};
}

const units = ["B", "KB", "MB", "GB", "TB"];

/** A size for people, such as `1.5 MB`. */
export function humanSize(bytes: number): string {
	let [value, unit] = [bytes, 0];
	while (value >= 1024 && unit < units.length - 1) [value, unit] = [value / 1024, unit + 1];
	return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}

const MAX_ROWS = 10_000;

/** The file of an export as it is made, or why it does not come in this way. */
export async function streamExport(
	deps: { readonly eventStore: EventStore; readonly clock: Clock; readonly places: Lane },
	site: ExportSite,
	input: Omit<ExportInput, "format"> & { readonly format: WrittenFormat },
): Promise<{ readonly file: Readable } | { readonly tooMany: string }> {
	const parsed = parseExport(site, deps.clock, input);
	const rows = await countRows(deps, site, parsed);
	if (rows > MAX_ROWS) {
		return { tooMany: `${rows} rows are more than the ${MAX_ROWS} of a stream; POST /exports makes a file of them` };
	}
	return { file: await beginFile(deps.places, fileContent(deps, questionOf(site, deps.clock, parsed), input.format)) };
}
