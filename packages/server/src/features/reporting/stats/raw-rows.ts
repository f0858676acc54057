import { type DateRange, daysIn } from "../../../analytics/query/question/date-range.ts";
import { readableRange } from "../../../analytics/query/question/readable-range.ts";
import { ofEvents } from "../../../analytics/query/question/reading.ts";
import { baselineStart } from "../../../analytics/query/reports/baseline-start.ts";
import { type RawEvent, type RawEvents, runRawEvents } from "../../../analytics/query/reports/raw-events.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import { pageOf } from "../../../platform/http/envelope.ts";
import type { StatsDeps } from "./deps.ts";
import { pageMeta } from "./explain.ts";
import { parseRequest, type StatsSite } from "./parse.ts";
import { rawConversions, rawItems, rawMicroconversions } from "./raw-present.ts";
import type { RawClickQuery } from "./raw-schemas.ts";

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
	const { page, limit: pageSize = query.page_size } = query;
	const rowsIn = async (days: DateRange, paged: Parameters<typeof runRawEvents>[2]) => {
		const left = retained ? readableRange(days, site.timezone, deps.clock) : days;
		if (left === undefined) return { rows: [], total: 0 };
		const question: RawEvents = { site: site.id, range: left, conditions, kind, ...(clids && { clids }) };
		return runRawEvents(deps, question, paged);
	};
	const [result, earlier, began] = await Promise.all([
		rowsIn(range, { limit: pageSize, offset: (page - 1) * pageSize }),
		comparison && rowsIn(comparison, { limit: 1, offset: 0 }),
		baselineStart(deps, { sites: [site.id], earlier: comparison, conditions }),
	]);
	return {
		...pageOf(result.rows.map(present), { total: result.total, page, pageSize }),
		...(earlier && { comparison: { total: earlier.total } }),
		...pageMeta(began),
	};
}

/** One page of conversions, oldest first. 400 for more than 31 days. */
export const rawConversionPage = (deps: StatsDeps, site: StatsSite, query: RawClickQuery) =>
	rawPage(deps, kinds.conversions, { site, query, clids: query.clid, present: rawConversions(site.timezone) });

/** One page of the microconversions of the last two years, oldest first. 400 for more than 31 days. */
export const rawMicroconversionPage = (deps: StatsDeps, site: StatsSite, query: RawQuery) =>
	rawPage(deps, kinds.microconversions, { site, query, present: rawMicroconversions(site.timezone) });

/** One page of the items of conversions of the last two years, oldest first. 400 for more than 31 days. */
export const rawItemPage = (deps: StatsDeps, site: StatsSite, query: RawClickQuery) =>
	rawPage(deps, kinds.items, { site, query, clids: query.clid, present: rawItems(site.timezone) });
