import { queryOptions } from "@tanstack/react-query";
import { type Answer, call } from "../../api/client.ts";
import { useChange } from "../../ui/form/use-change.ts";
import { t } from "./report-texts.ts";

/** A report about a week or a month. */
export type Report = Answer<"GET /lens/reports/{id}">;

/** The reports of a site, the latest first. */
export const reportsQuery = (site: string, page: number) =>
	queryOptions({
		queryKey: ["GET /lens/reports", { site, page }],
		queryFn: ({ signal }) => call("GET /lens/reports", { query: { account_id: site, page }, signal }),
	});

/** One of them. It counts who opens it, so it is asked once. */
export const reportQuery = (site: string, id: string) =>
	queryOptions({
		queryKey: ["GET /lens/reports/{id}", { site, id }],
		queryFn: ({ signal }) => call("GET /lens/reports/{id}", { path: { id }, query: { account_id: site }, signal }),
		staleTime: Number.POSITIVE_INFINITY,
	});

/** Makes a report of the last week or month. */
export const useMakeReport = (site: string) =>
	useChange({
		run: (type: "weekly" | "monthly") =>
			call("POST /lens/reports/generate", { query: { account_id: site }, body: { report_type: type } }),
		stale: ["GET /lens/reports", "GET /lens/reports/{id}"],
		done: () => t.made,
	});
