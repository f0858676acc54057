import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call } from "../../api/client.ts";
import type { ReportQuery } from "../site/index.ts";
import type { EventRow, RowKind } from "./row-columns.ts";

const routes = {
	conversions: "GET /stats/conversions/raw",
	microconversions: "GET /stats/microconversions/raw",
	items: "GET /stats/conversion-items/raw",
} as const satisfies Record<RowKind, string>;

/** Rows of a page. */
export const rowsOnPage = 50;
/** The most rows that one answer holds, and that one file does. */
const mostAtOnce = 10_000;
const mostInFile = 100_000;

/** Input of a list of events. */
export type RowsInput = ReportQuery & { readonly conversion_type?: readonly string[] };

interface Page {
	readonly data: readonly EventRow[];
	readonly total: number;
	readonly has_next: boolean;
}

const page = (kind: RowKind, query: RowsInput, number: number, size: number, signal?: AbortSignal): Promise<Page> =>
	call(routes[kind], { query: { ...query, newest_first: true, page: number, page_size: size }, signal });

/** A page of rows, the newest first, as a query. */
export const rowsQuery = (kind: RowKind, query: RowsInput, number: number) =>
	queryOptions({
		queryKey: [routes[kind], query, number],
		queryFn: async ({ signal }) => ({ kind, ...(await page(kind, query, number, rowsOnPage, signal)) }),
		placeholderData: keepPreviousData,
	});

/** All rows, the newest first, page by page. */
export async function allRows(kind: RowKind, query: RowsInput): Promise<readonly EventRow[]> {
	const rows: EventRow[] = [];
	for (let number = 1; rows.length < mostInFile; number++) {
		const { data, has_next: hasNext } = await page(kind, query, number, mostAtOnce);
		rows.push(...data);
		if (!hasNext) break;
	}
	return rows;
}

/** The items of a purchase: those of its moment, asked for by what they share with it. */
export const itemsQuery = (site: string, row: EventRow) =>
	queryOptions({
		queryKey: ["items", site, row],
		queryFn: async ({ signal }) => {
			const { data } = await page("items", narrow(site, row), 1, mostAtOnce, signal);
			return data.filter((item) => item.timestamp_utc === row.timestamp_utc);
		},
		staleTime: Number.POSITIVE_INFINITY,
	});

const narrow = (site: string, row: EventRow) => ({
	site_id: site,
	start_date: row.date,
	end_date: row.date,
	conversion_type: [row.conversion_type],
	country: [row.country],
	device_type: [row.device_type],
	utm_source: [row.utm_source],
	landing_page: [row.landing_page],
});
