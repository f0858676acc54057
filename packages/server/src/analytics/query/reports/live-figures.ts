import { MINUTE_MS } from "../../../platform/lib/durations.ts";
import type { Condition } from "../../catalog/filters.ts";
import { rowSettings } from "../../catalog/projections.ts";
import type { EventKind } from "../../model/event-columns.ts";
import { eventsWhere, type Params, type Statement } from "../engine/compile.ts";
import { ask, type RunDeps } from "../engine/run.ts";
import { nested, select } from "../engine/select.ts";
import { daysAround } from "../question/date-range.ts";

/** A visit with a hit within so many minutes is active. */
export const ACTIVE_MINUTES = 5;
/** Number of single minutes, including the current one. */
export const LIVE_MINUTES = 30;
/** Rows of each list. */
export const LIVE_ROWS = 10;
/** Most hits that one answer holds. */
const MOST_HITS = 500;

/** A query of live figures. */
export interface LiveQuestion {
	/** Slug. */
	readonly site: string;
	readonly conditions: readonly Condition[];
	/** Milliseconds since the Unix epoch, as are all moments here. */
	readonly now: number;
	/** The latest hits after this moment are returned one by one. */
	readonly hitsAfter: number;
}

/** The hits of one minute. */
export interface LiveMinute {
	/** Its beginning. */
	readonly at: number;
	readonly pageViews: number;
	readonly entrances: number;
}

/** A value of a dimension and the active visits that have it. */
export interface LiveRow {
	readonly label: string;
	readonly visits: number;
}

/** One hit, without whose it is. */
export interface LiveHit {
	/** The same for the same hit whenever it is asked for; made of all that the hit is, and tells nothing of it. */
	readonly id: number;
	readonly at: number;
	readonly kind: Extract<EventKind, "pageview" | "conversion" | "microconversion">;
	readonly path: string;
	readonly country: string;
	readonly device: string;
	readonly source: string;
	/** Empty on page views. */
	readonly eventType: string;
	readonly amount: number;
}

const lists = { pages: "path", sources: "utm_source", countries: "country", devices: "device" } as const;

/** A list of active visits. */
export type LiveList = keyof typeof lists;

const listNames = Object.keys(lists) as LiveList[];

/** Live figures of a site. */
export interface LiveFigures extends Readonly<Record<LiveList, readonly LiveRow[]>> {
	readonly activeVisits: number;
	/** Oldest first. */
	readonly minutes: readonly LiveMinute[];
	/** Oldest first. */
	readonly hits: readonly LiveHit[];
}

type Texts = "label" | "hit_country" | "hit_device" | "hit_source" | "hit_event";
type Numbers = "at" | "visits" | "page_views" | "entrance_hits" | "hit_id" | "hit_amount";

/** A row of any of the parts; those that a part does not fill are empty. */
interface PartRow extends Readonly<Record<Texts, string>>, Readonly<Record<Numbers, number>> {
	readonly part: "total" | "minutes" | "hits" | LiveList;
	readonly hit_kind: LiveHit["kind"];
}

// No name is that of a column of the table: the conditions would mean these.
const nothing: Readonly<Record<keyof PartRow, string>> = {
	part: "''",
	label: "''",
	at: "toInt64(0)",
	visits: "toUInt64(0)",
	page_views: "toUInt64(0)",
	entrance_hits: "toUInt64(0)",
	hit_id: "toUInt64(0)",
	hit_kind: "''",
	hit_country: "''",
	hit_device: "''",
	hit_source: "''",
	hit_event: "''",
	hit_amount: "toDecimal64(0, 4)",
};

const columnsOf = (filled: Partial<Record<keyof PartRow, string>>): string[] =>
	Object.entries({ ...nothing, ...filled }).map(([name, sql]) => `${sql} AS ${name}`);

const AT = "toUnixTimestamp64Milli(ts)";
const after = (name: string) => `ts > fromUnixTimestamp64Milli({${name}:Int64})`;
// Within the whole numbers that JSON holds exactly.
const HIT_ID =
	"bitAnd(cityHash64(session, ts, toString(kind), path, event_type, amount, toString(properties)), 9007199254740991)";

function minutesSql(where: readonly string[]): string {
	return select({
		columns: columnsOf({
			part: "'minutes'",
			at: `intDiv(${AT}, ${MINUTE_MS}) * ${MINUTE_MS}`,
			page_views: "sum(page_view)",
			entrance_hits: "sum(entrance)",
		}),
		from: "events",
		where: [...where, after("before_minutes")],
		groupBy: ["at"],
	});
}

/** The lists and the total in one reading of the rows: a value that a group is not made by is empty in it. */
function visitsSql(where: readonly string[]): string {
	const columns = Object.values(lists);
	const named = Object.entries(lists).map(([name, column]) => `grouping(${column}) = 0, '${name}'`);
	const groups = select({
		columns: [
			`multiIf(${named.join(", ")}, 'total') AS part`,
			`concat(${columns.join(", ")}) AS label`,
			"uniqExact(session) AS visits",
		],
		from: "events",
		where: [...where, after("before_active")],
		groupBy: [`GROUPING SETS ((), ${columns.map((column) => `(${column})`).join(", ")})`],
	});
	return select({
		columns: columnsOf({ part: "part", label: "label", visits: "visits" }),
		from: nested(groups),
		orderBy: ["visits DESC", "label"],
		limit: "{rows:UInt8} BY part",
	});
}

function hitsSql(where: readonly string[]): string {
	return select({
		columns: columnsOf({
			part: "'hits'",
			label: "path",
			at: AT,
			hit_id: HIT_ID,
			hit_kind: "toString(kind)",
			hit_country: "country",
			hit_device: "device",
			hit_source: "utm_source",
			hit_event: "event_type",
			hit_amount: "amount",
		}),
		from: "events",
		where: [...where, after("hits_after")],
		orderBy: ["ts DESC", "hit_id"],
		limit: "{hits:UInt32}",
	});
}

const firstMinute = (now: number): number => (Math.floor(now / MINUTE_MS) - LIVE_MINUTES + 1) * MINUTE_MS;

/** One statement of three parts, each of which reads only the stretch of time that it is about. */
function compileLive({ site, conditions, now, hitsAfter }: LiveQuestion): Statement {
	const params: Params = {};
	const range = daysAround(firstMinute(now), now);
	const where = [
		...eventsWhere({ site, range, conditions }, params),
		"kind IN ('pageview', 'conversion', 'microconversion')",
		"session != 0",
		"ts <= fromUnixTimestamp64Milli({now:Int64})",
	];
	Object.assign(params, {
		now,
		before_minutes: firstMinute(now) - 1,
		before_active: now - ACTIVE_MINUTES * MINUTE_MS,
		hits_after: hitsAfter,
		rows: LIVE_ROWS,
		hits: MOST_HITS,
	});
	const parts = [minutesSql(where), visitsSql(where), hitsSql(where)];
	return {
		sql: parts.map((part) => `SELECT * FROM ${nested(part)}`).join("\nUNION ALL\n"),
		params,
		settings: rowSettings,
	};
}

/** Live figures of a site, in one statement. Throws `BadQuestion` for an expression that the engine refuses. */
export async function liveFigures(deps: RunDeps, question: LiveQuestion): Promise<LiveFigures> {
	const rows = await ask<PartRow>(deps, compileLive(question));
	const parts = Map.groupBy(rows, ({ part }) => part);
	const of = (part: PartRow["part"]) => parts.get(part) ?? [];
	const listed = listNames.map((name) => [name, of(name).toSorted(byVisits).map(liveRow)] as const);
	return {
		activeVisits: of("total")[0]?.visits ?? 0,
		minutes: eachMinute(question.now, of("minutes")),
		...(Object.fromEntries(listed) as Record<LiveList, LiveRow[]>),
		hits: of("hits")
			.map(liveHit)
			.sort((a, b) => a.at - b.at || a.id - b.id),
	};
}

const liveRow = ({ label, visits }: PartRow): LiveRow => ({ label, visits });

/** Most visits first; equal ones by their names, whatever the language of the machine. */
const byVisits = (a: PartRow, b: PartRow): number => b.visits - a.visits || (a.label < b.label ? -1 : 1);

function eachMinute(now: number, rows: readonly PartRow[]): LiveMinute[] {
	const found = new Map(rows.map((row) => [row.at, row]));
	return Array.from({ length: LIVE_MINUTES }, (_, index) => {
		const at = firstMinute(now) + index * MINUTE_MS;
		const row = found.get(at);
		return { at, pageViews: row?.page_views ?? 0, entrances: row?.entrance_hits ?? 0 };
	});
}

const liveHit = (row: PartRow): LiveHit => ({
	id: row.hit_id,
	at: row.at,
	kind: row.hit_kind,
	path: row.label,
	country: row.hit_country,
	device: row.hit_device,
	source: row.hit_source,
	eventType: row.hit_event,
	amount: row.hit_amount,
});
