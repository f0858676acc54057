import { type ColumnRole, columnKey, type KnownColumn } from "./csv-columns.ts";
import { unreadable } from "./csv-records.ts";
import { dayAfter, readAmount, readCount, readDay, readSeconds, readShare } from "./csv-values.ts";
import type { ImportDimension, ImportedSum, ImportMeasure } from "./format.ts";

export interface TableRow extends Pick<ImportedSum, "dimensions" | "measures"> {
	readonly date: string;
	readonly hour: number | undefined;
}

/** A table of a file: its columns and what they tell. */
export interface CsvTable {
	readonly columns: readonly ColumnRole[];
	/** Their names, as the file has them. */
	readonly names: readonly string[];
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
/** Comes after all that is known. */
const UNKNOWN: KnownColumn = { role: IGNORED, rank: Number.POSITIVE_INFINITY };
const perVisit: ReadonlySet<string> = new Set(["entrances", "engaged", "visit_seconds"]);
const dates: ReadonlySet<string> = new Set(["date", "date_hour", "nth_day"]);

/** Understands the header of a table; undefined when it has no day, or nothing that is counted. */
export function readHeader(
	cells: readonly string[],
	roles: ReadonlyMap<string, KnownColumn>,
	days: TableDays,
): CsvTable | undefined {
	const known = cells.map((cell) => (cell.trim() === "" ? { role: IGNORED, rank: 0 } : roles.get(columnKey(cell))));
	const isDivided = known.some((column) => column !== undefined && splitsVisits(column.role));
	const hasParts = known.some(
		({ role } = UNKNOWN) => role.kind === "source_medium" || role.kind === "hour" || role.kind === "dimension",
	);
	const columns: ColumnRole[] = cells.map(() => IGNORED);
	const taken = new Set<string>();
	let repeated = 0;
	const ranked = [...known.entries()].sort(([, one = UNKNOWN], [, other = UNKNOWN]) => one.rank - other.rank);
	for (const [index, column] of ranked) {
		if (column === undefined) continue;
		const { role } = column;
		const keys = purposes(role);
		const cannotAdd = keys.some(
			(key) => (isDivided && perVisit.has(key)) || ((hasParts || isDivided) && key === "visitors"),
		);
		if (cannotAdd || keys.some((key) => taken.has(key))) repeated++;
		else columns[index] = role;
		if (!cannotAdd) for (const key of keys) taken.add(key);
	}
	const isDay = ({ kind }: ColumnRole) => dates.has(kind) && (kind !== "nth_day" || days.start !== undefined);
	const hasDate = columns.some(isDay);
	const day = !hasDate && days.start === days.end ? days.start : undefined;
	if (!columns.some((role) => role.kind === "measure") || (!hasDate && day === undefined)) return undefined;
	const names = cells.map((cell) => cell.trim());
	return { columns, names, unknown: known.filter((column) => column === undefined).length, repeated, day };
}

/** True where one visit has several rows, so that a sum of its visits would count it more than once. */
const splitsVisits = (role: ColumnRole): boolean =>
	role.kind === "part_of_visit" ||
	(role.kind === "measure" && role.splitsVisits === true) ||
	(role.kind === "dimension" && (role.name === "path" || role.name === "content_group" || role.name === "event_type"));

/** The fields that a column fills by its kind; of two columns that fill the same one, one counts. */
const filled: Readonly<Record<Exclude<ColumnRole["kind"], "measure" | "dimension">, readonly string[]>> = {
	source_medium: ["utm_source", "utm_medium"],
	date: ["date"],
	nth_day: ["date"],
	date_hour: ["date", "hour"],
	hour: ["hour"],
	bounces: ["engaged"],
	bounce_rate: ["engaged"],
	engagement_rate: ["engaged"],
	average_seconds: ["visit_seconds"],
	part_of_visit: [],
	ignored: [],
};
const purposes = (role: ColumnRole): readonly string[] => ("name" in role ? [role.name] : filled[role.kind]);

/** Why a row cannot be used; a total is no fault. */
interface RowFault {
	readonly reason: "malformed" | "repeated";
	readonly problem: string;
}

interface FaultyCell {
	readonly role: ColumnRole;
	readonly column: string;
	readonly text: string;
}

interface Draft {
	date?: string | undefined;
	hour?: number | undefined;
	readonly dimensions: Partial<Record<ImportDimension, string>>;
	readonly measures: Partial<Record<ImportMeasure, number>>;
	bouncedShare?: number | undefined;
	bounces?: number | undefined;
	averageSeconds?: number | undefined;
}

/** Reads a row. An unreadable cell takes only itself along; without a day, or with no figure left, the row is not used. */
export function readRow(
	table: CsvTable,
	cells: readonly string[],
	days: TableDays,
	round: Rounding,
): { readonly row: TableRow; readonly faults: readonly FaultyCell[] } | RowFault {
	const total = totalOf(table, cells);
	if (total !== undefined) return { reason: "repeated", problem: total };
	const draft: Draft = { date: table.day, dimensions: {}, measures: {} };
	const faults: FaultyCell[] = [];
	for (const [index, role] of table.columns.entries()) {
		const text = cells[index] ?? "";
		if (!readCell(draft, role, text, days, round)) faults.push({ role, column: table.names[index] ?? "", text });
	}
	const { date, hour, dimensions } = draft;
	if (date === undefined) {
		const fault = faults.find(({ role }) => dates.has(role.kind));
		return { reason: "malformed", problem: faultText(fault, "day") };
	}
	const unread = faults.filter(({ role }) => isFigure(role));
	if (unread.length === table.columns.filter(isFigure).length) {
		return { reason: "malformed", problem: faultText(unread[0], "figure") };
	}
	// Where the visits of a row are not known, neither is how many of them were engaged.
	if (faults.some(({ role }) => role.kind === "measure" && role.name === "entrances")) delete draft.measures.engaged;
	return { row: { date, hour, dimensions, measures: completed(draft) }, faults };
}

const faultText = (fault: FaultyCell | undefined, what: string): string =>
	fault === undefined ? `no ${what}` : unreadable(fault.column, fault.text, `no ${what}`);

type Rounding = (name: ImportMeasure, value: number) => number;

const isFigure = (role: ColumnRole): boolean =>
	role.kind === "measure" || (role.kind !== "dimension" && filled[role.kind].some((field) => perVisit.has(field)));

/** A row of totals says so, or has nothing in the columns that tell rows apart. A table without such columns has no totals. */
function totalOf({ columns, names }: CsvTable, cells: readonly string[]): string | undefined {
	const isTotal = (cell: string) => TOTAL.test(cell.trim());
	const word = cells.find((cell, index) => isTotal(cell) && (columns[index] ?? IGNORED).kind === "ignored");
	if (word !== undefined) return `the row is one of totals: “${word.trim()}”`;
	const labels = columns.flatMap((role, index) => (isFigure(role) || names[index] === "" ? [] : [{ role, index }]));
	const days = labels.filter(({ role }) => dates.has(role.kind));
	// Columns whose meaning is not known may be figures.
	const parts = labels.filter(({ role }) => role.kind !== "ignored");
	const deciding = days.length > 0 ? days : parts.length > 0 ? parts : labels;
	const texts = deciding.map(({ index }) => cells[index] ?? "");
	if (texts.length === 0 || !texts.every((text) => text.trim() === "" || isTotal(text))) return undefined;
	return "the row is one of totals: it tells nothing of what its rows are told apart by";
}

const TOTAL = /^(?:(?:grand )?totals?|total(?:es)?(?: general(?:es)?)?|suma total)$/i;

/** False when the cell has not what its column tells. */
function readCell(draft: Draft, role: ColumnRole, text: string, { start }: TableDays, round: Rounding): boolean {
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
			return readFigure(draft, role, text, round);
	}
}

function readFigure(draft: Draft, role: ColumnRole, text: string, round: Rounding): boolean {
	if (text.trim() === "" || text.trim() === "-") return true;
	switch (role.kind) {
		case "measure": {
			const value = measureValue(role.name, text, round);
			if (value !== undefined) draft.measures[role.name] = value;
			return value !== undefined;
		}
		case "bounces":
			draft.bounces = readCount(text);
			return draft.bounces !== undefined;
		case "average_seconds":
			draft.averageSeconds = readSeconds(text);
			return draft.averageSeconds !== undefined;
		default: {
			const share = readShare(text);
			draft.bouncedShare = share === undefined || role.kind === "bounce_rate" ? share : 1 - share;
			return share !== undefined;
		}
	}
}

/** Counts may be shares of something, as those of conversions that are credited to several sources are. */
function measureValue(name: ImportMeasure, text: string, round: Rounding): number | undefined {
	if (name === "revenue") return readAmount(text);
	const value = name === "visit_seconds" ? readSeconds(text) : (readCount(text) ?? readAmount(text));
	if (value === undefined || value < 0) return undefined;
	return name === "visit_seconds" ? Math.round(value) : round(name, value);
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

const NO_VALUE =
	/^\((?:not set|not provided|data not available|unset|no establecid[oa]|no definid[oa]|sin definir|sin establecer|no disponible)\)$/i;

/** Several tools have a placeholder for a missing value; `(direct)` and `(none)` are values. */
function plainValue(text: string): string {
	const bare = text.trim();
	if (NO_VALUE.test(bare)) return "";
	if (/^\(direct[oa]\)$/i.test(bare)) return "(direct)";
	return /^\(ningun[oa]\)$/i.test(bare) ? "(none)" : bare;
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
