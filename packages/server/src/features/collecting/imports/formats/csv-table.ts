import { type ColumnRole, columnKey } from "./csv-columns.ts";
import { dayAfter, readAmount, readCount, readDay, readSeconds, readShare } from "./csv-values.ts";
import type { ImportDimension, ImportMeasure } from "./format.ts";

/** A row of a table, understood. */
export interface TableRow {
	readonly date: string;
	readonly hour: number | undefined;
	readonly dimensions: Readonly<Partial<Record<ImportDimension, string>>>;
	readonly measures: Readonly<Partial<Record<ImportMeasure, number>>>;
}

/** A table of a file: its columns and what they tell. */
export interface CsvTable {
	readonly columns: readonly ColumnRole[];
	/** Columns that mean nothing here. */
	readonly unknown: number;
	/** Columns that count again what another column of the table counts, or cannot be added up in it. */
	readonly repeated: number;
	/** The day of all its rows, where it has no column that says so. */
	readonly day: string | undefined;
}

/** The days that a table is about, where the lines before it say so. */
export interface TableDays {
	readonly start: string | undefined;
	readonly end: string | undefined;
}

const IGNORED: ColumnRole = { kind: "ignored" };
const perVisit: ReadonlySet<string> = new Set(["entrances", "engaged", "visit_seconds"]);
const derived: ReadonlySet<string> = new Set(["bounces", "bounce_rate", "engagement_rate", "average_seconds"]);
const dates: ReadonlySet<string> = new Set(["date", "date_hour", "nth_day"]);

/** Understands the header of a table; undefined when it has no day, or nothing that is counted. */
export function readHeader(
	cells: readonly string[],
	roles: ReadonlyMap<string, ColumnRole>,
	days: TableDays,
): CsvTable | undefined {
	const known = cells.map((cell) => (cell.trim() === "" ? IGNORED : roles.get(columnKey(cell))));
	const isDivided = known.some((role) => role !== undefined && splitsVisits(role));
	const hasParts = known.some(
		(role) => role?.kind === "dimension" || role?.kind === "source_medium" || role?.kind === "hour",
	);
	const taken = new Set<string>();
	let repeated = 0;
	const columns = known.map((role): ColumnRole => {
		if (role === undefined) return IGNORED;
		const key = purpose(role);
		if (key === undefined) return role;
		const cannotAdd =
			(isDivided && (perVisit.has(key) || derived.has(role.kind))) || ((hasParts || isDivided) && key === "visitors");
		if (!taken.has(key) && !cannotAdd) {
			taken.add(key);
			return role;
		}
		repeated++;
		return IGNORED;
	});
	const hasDate = columns.some((role) => dates.has(role.kind));
	const day = !hasDate && days.start === days.end ? days.start : undefined;
	if (!columns.some((role) => role.kind === "measure") || (!hasDate && day === undefined)) return undefined;
	return { columns, unknown: known.filter((role) => role === undefined).length, repeated, day };
}

/** True where one visit has several rows, so that a sum of its visits would count it more than once. */
const splitsVisits = (role: ColumnRole): boolean =>
	role.kind === "part_of_visit" ||
	(role.kind === "measure" && role.splitsVisits === true) ||
	(role.kind === "dimension" && (role.name === "path" || role.name === "content_group" || role.name === "event_type"));

function purpose(role: ColumnRole): string | undefined {
	if (role.kind === "measure" || role.kind === "dimension") return role.name;
	if (role.kind === "ignored" || role.kind === "part_of_visit") return undefined;
	if (role.kind === "average_seconds") return "visit_seconds";
	if (derived.has(role.kind)) return "engaged";
	return dates.has(role.kind) ? "date" : role.kind;
}

/** Why a row cannot be used: a total is no fault. */
export type RowFault = "malformed" | "repeated";

/** The values of a row, one after the other. */
interface Draft {
	date: string | undefined;
	hour: number | undefined;
	readonly dimensions: Partial<Record<ImportDimension, string>>;
	readonly measures: Partial<Record<ImportMeasure, number>>;
	bouncedShare: number | undefined;
	bounces: number | undefined;
	averageSeconds: number | undefined;
}

/** Understands a row of a table. */
export function readRow(table: CsvTable, cells: readonly string[], days: TableDays): TableRow | RowFault {
	if (isTotal(table, cells)) return "repeated";
	const draft: Draft = {
		date: table.day,
		hour: undefined,
		dimensions: {},
		measures: {},
		bouncedShare: undefined,
		bounces: undefined,
		averageSeconds: undefined,
	};
	for (const [index, role] of table.columns.entries()) {
		if (!readCell(draft, role, cells[index] ?? "", days)) return "malformed";
	}
	const { date, hour, dimensions } = draft;
	if (date === undefined) return "malformed";
	return { date, hour, dimensions, measures: completed(draft) };
}

/** Totals stand beside an empty day, or say that they are some. */
function isTotal({ columns, day }: CsvTable, cells: readonly string[]): boolean {
	if (cells.some((cell) => /^(grand )?totals?( general(es)?)?$/i.test(cell.trim()))) return true;
	if (day !== undefined)
		return columns.every((role, index) => role.kind !== "dimension" || cells[index]?.trim() === "");
	const isEmpty = (role: ColumnRole, index: number) => dates.has(role.kind) && (cells[index] ?? "").trim() === "";
	return columns.some(isEmpty);
}

/** False when the cell has not what its column tells. */
function readCell(draft: Draft, role: ColumnRole, text: string, { start }: TableDays): boolean {
	switch (role.kind) {
		case "date":
			draft.date = readDay(text);
			return draft.date !== undefined;
		case "date_hour":
			draft.date = readDay(text.trim().slice(0, -2).trim());
			return draft.date !== undefined && readHour(draft, text.trim().slice(-2));
		case "nth_day":
			return readNthDay(draft, text.trim(), start);
		case "hour":
			return readHour(draft, text.trim());
		case "dimension":
			draft.dimensions[role.name] = role.read === undefined ? plainValue(text) : role.read(plainValue(text));
			return true;
		case "source_medium": {
			const [source = "", medium = ""] = text.split(" / ");
			draft.dimensions.utm_source = plainValue(source);
			draft.dimensions.utm_medium = plainValue(medium);
			return true;
		}
		case "part_of_visit":
		case "ignored":
			return true;
		default:
			return readFigure(draft, role, text);
	}
}

function readFigure(draft: Draft, role: ColumnRole, text: string): boolean {
	if (text.trim() === "" || text.trim() === "-") return true;
	if (role.kind === "measure") {
		const value = measureValue(role.name, text);
		if (value !== undefined) draft.measures[role.name] = value;
		return value !== undefined;
	}
	if (role.kind === "bounces") draft.bounces = readCount(text);
	else if (role.kind === "average_seconds") draft.averageSeconds = readSeconds(text);
	else {
		const share = readShare(text);
		draft.bouncedShare = share === undefined || role.kind === "bounce_rate" ? share : 1 - share;
	}
	return (draft.bounces ?? draft.averageSeconds ?? draft.bouncedShare) !== undefined;
}

function measureValue(name: ImportMeasure, text: string): number | undefined {
	if (name === "revenue") return readAmount(text);
	if (name !== "visit_seconds") return readCount(text);
	const seconds = readSeconds(text);
	return seconds === undefined || seconds < 0 ? undefined : Math.round(seconds);
}

function readNthDay(draft: Draft, text: string, start: string | undefined): boolean {
	if (start === undefined || !/^\d{1,4}$/.test(text)) return false;
	draft.date = dayAfter(start, Number(text));
	return true;
}

function readHour(draft: Draft, text: string): boolean {
	const hour = /^\d{1,2}$/.test(text) ? Number(text) : 24;
	draft.hour = hour < 24 ? hour : undefined;
	return hour < 24;
}

/** What several tools write for a value that they don't have; `(direct)` and `(none)` are values. */
function plainValue(text: string): string {
	const bare = text.trim();
	return /^\((not set|not provided|data not available|unset)\)$/i.test(bare) ? "" : bare;
}

function completed({ measures, bounces, bouncedShare, averageSeconds }: Draft): TableRow["measures"] {
	const { entrances } = measures;
	if (entrances === undefined) return measures;
	const bounced = bounces ?? (bouncedShare === undefined ? undefined : Math.round(entrances * bouncedShare));
	const engaged = measures.engaged ?? (bounced === undefined ? undefined : entrances - bounced);
	const seconds =
		measures.visit_seconds ??
		(averageSeconds === undefined ? undefined : Math.round(entrances * Math.max(0, averageSeconds)));
	return {
		...measures,
		...(engaged !== undefined && { engaged: Math.min(entrances, Math.max(0, engaged)) }),
		...(seconds !== undefined && { visit_seconds: seconds }),
	};
}
