import type { ImportedSum } from "./format.ts";

type Dimensions = ImportedSum["dimensions"];

/** Figures of a day, or of a part of it that a table tells. */
interface PlausibleFigures {
	readonly line: number;
	readonly visits: number;
	/** Undefined where it is not told. */
	readonly bounces: number | undefined;
	readonly pageviews: number;
	/** Seconds of all visits together. */
	readonly seconds: number;
}

export interface PlausibleRow extends PlausibleFigures {
	/** The member that it is in. */
	readonly file: string;
	readonly dimensions: Dimensions;
}

export interface PlausibleDay {
	readonly date: string;
	readonly total: PlausibleFigures & { readonly visitors: number };
	/** By the name of the table. */
	readonly tables: ReadonlyMap<string, readonly PlausibleRow[]>;
	/** True for tables in which each visit has one row. */
	readonly isOfVisits: (table: string) => boolean;
}

/**
 * The sums of a day. Its tables hold the same visits, each by one dimension, so each measure is taken from the total, and divided
 * by all tables at once. Visits that bounced are divided apart from those that did not: so nowhere are more visits engaged than
 * there are.
 */
export function* itemsOfDay(day: PlausibleDay): Generator<ImportedSum> {
	const { total } = day;
	const bounced = Math.min(total.bounces ?? total.visits, total.visits);
	const bouncedOf = ({ bounces, visits }: PlausibleRow) =>
		Math.min(bounces ?? Math.round((visits * bounced) / total.visits), visits);
	const divide = (whole: number, count: (row: PlausibleRow) => number, pages: boolean) =>
		coupleShares(whole, sharesOf(day, count, pages));
	const left = divide(bounced, bouncedOf, false);
	const stayed = divide(total.visits - bounced, (row) => row.visits - bouncedOf(row), false);
	yield* visitItems(day, left, stayed);
	for (const { labels, count } of divide(total.pageviews, ({ pageviews }) => pageviews, true)) {
		yield sum(day, Object.assign({}, ...labels), { page_views: count });
	}
	for (const { labels, count } of divide(total.seconds, ({ seconds }) => seconds, false)) {
		yield sum(day, entered(labels), { visit_seconds: count });
	}
}

function sum({ date, total }: PlausibleDay, dimensions: Dimensions, measures: ImportedSum["measures"]): ImportedSum {
	return { kind: "sum", isCalculated: true, line: total.line, at: { date, hour: undefined }, dimensions, measures };
}

/** An entrance is on the page of the entrance. */
function entered(labels: readonly Dimensions[]): Dimensions {
	const dimensions: Dimensions = Object.assign({}, ...labels);
	return dimensions.landing_path === undefined ? dimensions : { ...dimensions, path: dimensions.landing_path };
}

/** Visitors are known of the day alone: they are spread over its visits. */
function* visitItems(
	day: PlausibleDay,
	left: readonly Cell<Dimensions>[],
	stayed: readonly Cell<Dimensions>[],
): Generator<ImportedSum> {
	const { visits, visitors } = day.total;
	let reached = 0;
	const share = (count: number): number => {
		const before = Math.round((reached * visitors) / visits);
		reached += count;
		return Math.round((reached * visitors) / visits) - before;
	};
	for (const { labels, count } of left) {
		yield sum(day, entered(labels), { entrances: count, visitors: share(count) });
	}
	for (const { labels, count } of stayed) {
		yield sum(day, entered(labels), { entrances: count, engaged: count, visitors: share(count) });
	}
	if (visits === 0 && visitors > 0) yield sum(day, {}, { visitors });
}

/** The first line of each table with more visits or page views than the day had: the surplus is left out. */
export function repeatedRows({ total, tables, isOfVisits }: PlausibleDay): PlausibleRow[] {
	return [...tables].flatMap(([name, rows]) => {
		const visits = isOfVisits(name) ? rows.reduce((count, row) => count + row.visits, 0) : 0;
		const pageviews = rows.reduce((count, row) => count + row.pageviews, 0);
		return visits <= total.visits && pageviews <= total.pageviews ? [] : rows.slice(0, 1);
	});
}

function sharesOf(
	{ date, tables, isOfVisits }: PlausibleDay,
	count: (row: PlausibleRow) => number,
	withPages: boolean,
): Share<Dimensions>[][] {
	return [...tables]
		.filter(([name]) => withPages || isOfVisits(name))
		.map(([, rows]) => {
			const shares = new Map<string, { label: Dimensions; count: number; order: number }>();
			for (const row of rows) {
				const key = JSON.stringify(row.dimensions);
				const share = shares.get(key);
				if (share !== undefined) share.count += count(row);
				else shares.set(key, { label: row.dimensions, count: count(row), order: scatter(`${date} ${key}`) });
			}
			// In another order each day, so that it is not always the same values that meet.
			return [...shares.values()].sort((one, other) => one.order - other.order);
		});
}

/** A number that tells nothing of the text, and is the same each time (FNV-1a, mixed). */
function scatter(text: string): number {
	let hash = 0x811c9dc5;
	for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
	hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
	return (hash ^ (hash >>> 13)) >>> 0;
}

/** A part of a whole that a table tells: so many of it belong to this. */
interface Share<Label> {
	readonly label: Label;
	readonly count: number;
}

/** So many of a whole that belong to one share of each table; none, where a table has fewer than there are. */
interface Cell<Label> {
	readonly labels: readonly Label[];
	readonly count: number;
}

/**
 * Divides a whole so that the parts of every table come out as the table says. Each table is laid along the whole, one share
 * after the other, and the whole is cut wherever a share of any table ends: there are no more cells than shares. Tables that tell
 * of more than the whole are shortened in proportion. Which shares of two tables meet is no fact; the order decides it.
 */
export function coupleShares<Label>(whole: number, tables: readonly (readonly Share<Label>[])[]): Cell<Label>[] {
	const cursors = tables.map((table) => ({ shares: fitted(table, whole), at: 0, used: 0 }));
	const cells: Cell<Label>[] = [];
	for (let left = whole; left > 0; ) {
		const labels: Label[] = [];
		let count = left;
		for (const { shares, at, used } of cursors) {
			const share = shares[at];
			if (share === undefined) continue;
			labels.push(share.label);
			count = Math.min(count, share.count - used);
		}
		for (const cursor of cursors) {
			const share = cursor.shares[cursor.at];
			if (share === undefined) continue;
			cursor.used += count;
			if (cursor.used < share.count) continue;
			cursor.at++;
			cursor.used = 0;
		}
		cells.push({ labels, count });
		left -= count;
	}
	return cells;
}

/** Shares of at most the whole: in proportion, the largest remainders first, where they are more. */
function fitted<Label>(shares: readonly Share<Label>[], whole: number): Share<Label>[] {
	const sum = shares.reduce((total, { count }) => total + count, 0);
	const some = shares.filter(({ count }) => count > 0);
	if (sum <= whole) return some;
	const exact = some.map(({ count }) => (count * whole) / sum);
	const counts = exact.map(Math.floor);
	const missing = whole - counts.reduce((total, count) => total + count, 0);
	const byRemainder = exact.map((value, index) => ({ index, rest: value - Math.floor(value) }));
	byRemainder.sort((one, other) => other.rest - one.rest || one.index - other.index);
	for (const { index } of byRemainder.slice(0, missing)) counts[index] = (counts[index] ?? 0) + 1;
	return some.flatMap(({ label }, index) => ((counts[index] ?? 0) > 0 ? [{ label, count: counts[index] ?? 0 }] : []));
}
