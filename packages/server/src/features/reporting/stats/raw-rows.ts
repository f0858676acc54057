import { type Static, Type } from "typebox";
import { campaignDimensions } from "../../../analytics/catalog/dimensions.ts";
import { type DateRange, daysIn } from "../../../analytics/query/question/date-range.ts";
import { readableRange } from "../../../analytics/query/question/readable-range.ts";
import { ofEvents } from "../../../analytics/query/question/reading.ts";
import { baselineStart } from "../../../analytics/query/reports/baseline-start.ts";
import { type RawEvent, type RawEvents, runRawEvents } from "../../../analytics/query/reports/raw-events.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { pageOf } from "../../../platform/http/envelope.ts";
import { paging, Timestamp } from "../../../platform/http/schemas.ts";
import { HOUR_MS, MINUTE_MS } from "../../../platform/lib/durations.ts";
import type { StatsDeps } from "./deps.ts";
import { CountedPage, pageMeta } from "./explain.ts";
import { reportRoute } from "./guard.ts";
import { commonParameters, ownParameters } from "./parameters.ts";
import { parseRequest, type StatsSite } from "./parse.ts";

const clid = {
	clid: Type.Optional(Type.Array(Type.String(), { description: "Click id; repeat it to allow several values" })),
};

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

/** Query of the raw microconversions. */
const RawQuery = Type.Object(rawParameters);

/** Query of the raw rows that carry a click id. */
const RawClickQuery = Type.Object({ ...rawParameters, ...clid });
type RawClickQuery = Static<typeof RawClickQuery>;

const campaign = Object.fromEntries(campaignDimensions.map((name) => [name, Type.String()])) as Record<
	(typeof campaignDimensions)[number],
	ReturnType<typeof Type.String>
>;
const audience = { country: Type.String(), device_type: Type.String(), channel_group: Type.String() };
const properties = { properties: Type.Record(Type.String(), Type.String()) };
const clickId = { clid: Type.String({ description: "Click id of the session, else empty" }) };

const eventRow = {
	date: Type.String({ format: "date", description: "Day in the site's time zone" }),
	hour: Type.Integer({ minimum: 0, maximum: 23 }),
	timestamp_utc: Timestamp(),
	timestamp_local: Type.String({
		format: "date-time",
		description: "The same instant with the UTC offset of the site",
	}),
	conversion_type: Type.String(),
	...audience,
	...campaign,
	landing_page: Type.String(),
	browser: Type.String(),
	os: Type.String(),
	...properties,
};

/** Page of raw microconversions. */
const RawMicroconversions = CountedPage(Type.Object(eventRow));

/** Page of raw items of conversions. */
const RawItems = CountedPage(Type.Object({ ...eventRow, ...clickId }));

/** Page of raw conversions. */
const RawConversions = CountedPage(
	Type.Object({
		timestamp: Type.String({ format: "date-time", description: "The same as `timestamp_utc`" }),
		...eventRow,
		amount: Type.Number(),
		...clickId,
	}),
);

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

const labels = (event: RawEvent) => ({
	country: event.country,
	device_type: event.device_type,
	channel_group: event.channel_group,
	utm_source: event.utm_source,
	utm_medium: event.utm_medium,
	utm_campaign: event.utm_campaign,
	utm_term: event.utm_term,
	utm_content: event.utm_content,
});

/** Makes rows of microconversions for a site in a time zone. */
function rawMicroconversions(timezone: string) {
	const offsetAt = offsetsOf(timezone);
	return (event: RawEvent) => ({
		date: event.date,
		hour: event.hour,
		timestamp_utc: new Date(event.at).toISOString(),
		timestamp_local: localTime(event, offsetAt),
		conversion_type: event.conversion_type,
		...labels(event),
		landing_page: event.landing_page,
		browser: event.browser,
		os: event.os,
		properties: event.properties,
	});
}

/** Makes rows of items for a site in a time zone. */
function rawItems(timezone: string) {
	const present = rawMicroconversions(timezone);
	return (event: RawEvent) => ({ ...present(event), clid: event.clid });
}

/** Makes rows of conversions for a site in a time zone. */
function rawConversions(timezone: string) {
	const present = rawItems(timezone);
	return (event: RawEvent) => {
		const row = present(event);
		return { timestamp: row.timestamp_utc, ...row, amount: event.amount };
	};
}

const MAX_DAYS = 31;

interface RawKind {
	readonly kind: RawEvents["kind"];
	/** Rows older than two years are not shown. */
	readonly retained: boolean;
}

const kinds = {
	conversions: { kind: "conversion", retained: false },
	microconversions: { kind: "microconversion", retained: true },
	items: { kind: "item", retained: true },
} as const satisfies Record<string, RawKind>;

type RawQuery = Omit<RawClickQuery, "clid">;

async function rawPage<Row>(
	deps: StatsDeps,
	{ kind, retained }: RawKind,
	input: {
		readonly site: StatsSite;
		readonly query: RawQuery;
		readonly clids?: readonly string[] | undefined;
		readonly present: (event: RawEvent) => Row;
	},
) {
	const { site, query, clids, present } = input;
	const { range, comparison, conditions } = await parseRequest(deps, site, query, ofEvents);
	if (daysIn(range) > MAX_DAYS) {
		throw new ServiceError("bad_request", { message: `The date range is longer than ${MAX_DAYS} days` });
	}
	const { page, limit: pageSize = query.page_size, newest_first: newestFirst = false } = query;
	const rowsIn = async (days: DateRange, paged: Parameters<typeof runRawEvents>[2]) => {
		const left = retained ? readableRange(days, site.timezone, deps.clock) : days;
		if (left === undefined) return { rows: [], total: 0 };
		const question: RawEvents = { site: site.id, range: left, conditions, kind, ...(clids && { clids }) };
		return runRawEvents(deps, question, paged);
	};
	const [result, earlier, began] = await Promise.all([
		rowsIn(range, { limit: pageSize, offset: (page - 1) * pageSize, newestFirst }),
		comparison && rowsIn(comparison, { limit: 1, offset: 0 }),
		baselineStart(deps, { site: site.id, comparison, conditions }),
	]);
	return {
		...pageOf(result.rows.map(present), { total: result.total, page, pageSize }),
		...(earlier && { comparison: { total: earlier.total } }),
		...pageMeta(began),
	};
}

/** One page of conversions, oldest first unless `newest_first`. 400 for more than 31 days. */
const rawConversionPage = (deps: StatsDeps, site: StatsSite, query: RawClickQuery) =>
	rawPage(deps, kinds.conversions, { site, query, clids: query.clid, present: rawConversions(site.timezone) });

/** One page of the microconversions of the last two years, oldest first unless `newest_first`. 400 for more than 31 days. */
const rawMicroconversionPage = (deps: StatsDeps, site: StatsSite, query: RawQuery) =>
	rawPage(deps, kinds.microconversions, { site, query, present: rawMicroconversions(site.timezone) });

/** One page of the items of conversions of the last two years, oldest first unless `newest_first`. 400 for more than 31 days. */
const rawItemPage = (deps: StatsDeps, site: StatsSite, query: RawClickQuery) =>
	rawPage(deps, kinds.items, { site, query, clids: query.clid, present: rawItems(site.timezone) });

/** Registers the routes that give events as they were stored. */
export function registerRawRows(app: App, deps: StatsDeps): void {
	addRoute(app, "GET /stats/conversions/raw", {
		...reportRoute,
		summary: "List of conversions",
		querystring: RawClickQuery,
		answer: RawConversions,
		handler: async (request) => rawConversionPage(deps, request.site, request.query),
	});
	addRoute(app, "GET /stats/microconversions/raw", {
		...reportRoute,
		summary: "List of microconversions of the last two years",
		querystring: RawQuery,
		answer: RawMicroconversions,
		handler: async (request) => rawMicroconversionPage(deps, request.site, request.query),
	});
	addRoute(app, "GET /stats/conversion-items/raw", {
		...reportRoute,
		summary: "List of items of conversions of the last two years",
		querystring: RawClickQuery,
		answer: RawItems,
		handler: async (request) => rawItemPage(deps, request.site, request.query),
	});
}
