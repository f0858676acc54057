import { type Static, type TSchema, Type } from "typebox";
import { campaignDimensions } from "../../../analytics/catalog/dimensions.ts";
import { type DateRange, daysIn } from "../../../analytics/query/question/date-range.ts";
import { ofEvents } from "../../../analytics/query/question/reading.ts";
import { readableRange } from "../../../analytics/query/question/resolve-range.ts";
import { type RawEvent, type RawEvents, runRawEvents } from "../../../analytics/query/reports/raw-events.ts";
import { baselineStart } from "../../../analytics/query/reports/site-days.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { pageOf } from "../../../platform/http/envelope.ts";
import { paging, Timestamp } from "../../../platform/http/schemas.ts";
import { HOUR_MS, MINUTE_MS } from "../../../platform/lib/durations.ts";
import { commonParameters, ownParameters } from "./parameters.ts";
import { parseRequest, type StatsDeps, type StatsSite } from "./parse.ts";
import { CountedPage, pageMeta, reportRoute } from "./report-route.ts";

const MAX_ROWS = 10_000;

const rawParameters = {
	...commonParameters,
	...ownParameters.conversionType,
	...ownParameters.landingPage,
	...paging({ pageSize: 50, max: MAX_ROWS }),
	limit: Type.Optional(
		Type.Integer({ minimum: 1, maximum: MAX_ROWS, description: "Alias of `page_size`; takes precedence" }),
	),
	newest_first: Type.Optional(
		Type.Boolean({ default: false, description: "Newest rows first; `sort_by` and `sort_order` are ignored" }),
	),
};

const RawQuery = Type.Object(rawParameters);
const RawClickQuery = Type.Object({
	...rawParameters,
	clid: Type.Optional(Type.Array(Type.String(), { description: "Click id; repeat it to allow several values" })),
});
type RawQuery = Static<typeof RawClickQuery>;

const texts = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, Type.String()]));
const clickId = { clid: Type.String({ description: "Click id of the session, else empty" }) };
const fields = {
	date: Type.String({ format: "date", description: "Day in the site's time zone" }),
	hour: Type.Integer({ minimum: 0, maximum: 23 }),
	timestamp_utc: Timestamp(),
	timestamp_local: Type.String({
		format: "date-time",
		description: "The same instant with the UTC offset of the site",
	}),
	...texts("conversion_type", "country", "device_type", "channel_group", ...campaignDimensions),
	...texts("landing_page", "browser", "os"),
	properties: Type.Record(Type.String(), Type.String()),
};
const fieldNames = Object.keys(fields);

interface RawReport extends Pick<RawEvents, "kind"> {
	readonly url: string;
	readonly summary: string;
	readonly query: TSchema;
	readonly row: Readonly<Record<string, TSchema>>;
	/** Adds what a row has beside the fields of every event. */
	readonly present: (row: Record<string, unknown>, event: RawEvent) => Record<string, unknown>;
	/** Rows older than two years are not shown. */
	readonly retained: boolean;
}

const rawReports: readonly RawReport[] = [
	{
		url: "/stats/conversions/raw",
		summary: "List of conversions",
		kind: "conversion",
		query: RawClickQuery,
		row: {
			timestamp: Type.String({ format: "date-time", description: "The same as `timestamp_utc`" }),
			...fields,
			amount: Type.Number(),
			...clickId,
		},
		present: (row, { clid, amount }) => ({ timestamp: row.timestamp_utc, ...row, clid, amount }),
		retained: false,
	},
	{
		url: "/stats/microconversions/raw",
		summary: "List of microconversions of the last two years",
		kind: "microconversion",
		query: RawQuery,
		row: fields,
		present: (row) => row,
		retained: true,
	},
	{
		url: "/stats/conversion-items/raw",
		summary: "List of items of conversions of the last two years",
		kind: "item",
		query: RawClickQuery,
		row: { ...fields, ...clickId },
		present: (row, { clid }) => ({ ...row, clid }),
		retained: true,
	},
];

const QUARTER_MS = 900_000;

/** Offset of a zone at an instant, in ms; remembered by quarter of an hour, as no zone changes its offset in between. */
function offsetsOf(zone: string): (at: number) => number {
	const known = new Map<number, number>();
	return (at) => {
		const quarter = Math.floor(at / QUARTER_MS);
		const found = known.get(quarter);
		if (found !== undefined) return found;
		const offset = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).offsetNanoseconds / 1e6;
		known.set(quarter, offset);
		return offset;
	};
}

function localText(at: number, offset: number): string {
	const minutes = Math.round(Math.abs(offset) / MINUTE_MS);
	const two = (value: number) => String(value).padStart(2, "0");
	const sign = offset < 0 ? "-" : "+";
	const local = new Date(at + offset).toISOString().slice(0, -1);
	return `${local}${sign}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** An instant on the site's clock. A site that has moved to another zone keeps the hours of its earlier rows. */
function localTime(event: RawEvent, offsetAt: (at: number) => number): string {
	const offset = offsetAt(event.at);
	const now = Math.floor((event.at + offset) / HOUR_MS) * HOUR_MS;
	const booked = Date.parse(`${event.date}T00:00:00Z`) + event.hour * HOUR_MS;
	return localText(event.at, offset + booked - now);
}

const MAX_DAYS = 31;

/** One page of events, oldest first unless `newest_first`. 400 for more than 31 days. */
async function rawPage(deps: StatsDeps, report: RawReport, site: StatsSite, query: RawQuery) {
	const { range, comparison, conditions } = await parseRequest(deps, site, query, ofEvents);
	if (daysIn(range) > MAX_DAYS) {
		throw new ServiceError("bad_request", `The date range is longer than ${MAX_DAYS} days`);
	}
	const { page, limit: pageSize = query.page_size, newest_first: newestFirst = false } = query;
	const { kind, retained, present } = report;
	const clids = report.query === RawClickQuery ? query.clid : undefined;
	const rowsIn = async (days: DateRange, paged: Parameters<typeof runRawEvents>[2]) => {
		const left = retained ? readableRange(days, site.timezone, deps.clock) : days;
		if (left === undefined) return { rows: [], total: 0 };
		return runRawEvents(deps, { site: site.id, range: left, conditions, kind, clids }, paged);
	};
	const [result, earlier, began] = await Promise.all([
		rowsIn(range, { limit: pageSize, offset: (page - 1) * pageSize, newestFirst }),
		comparison && rowsIn(comparison, { limit: 1, offset: 0 }),
		baselineStart(deps, { site: site.id, comparison, conditions }),
	]);
	const offsetAt = offsetsOf(site.timezone);
	const rows = result.rows.map((event) => {
		const times = { timestamp_utc: new Date(event.at).toISOString(), timestamp_local: localTime(event, offsetAt) };
		const values: Record<string, unknown> = { ...event, ...times };
		return present(Object.fromEntries(fieldNames.map((name) => [name, values[name]])), event);
	});
	return {
		...pageOf(rows, { total: result.total, page, pageSize }),
		...(earlier && { comparison: { total: earlier.total } }),
		...pageMeta(began),
	};
}

export function registerRawRows(app: App, deps: StatsDeps): void {
	for (const report of rawReports) {
		addRoute(app, `GET ${report.url}`, {
			...reportRoute,
			summary: report.summary,
			querystring: report.query,
			answer: CountedPage(Type.Object(report.row)) as TSchema,
			handler: async (request) => rawPage(deps, report, request.site, request.query as RawQuery),
		});
	}
}
