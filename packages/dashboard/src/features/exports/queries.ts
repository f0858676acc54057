import { queryOptions } from "@tanstack/react-query";
import type { Routes } from "../../api/api.generated.ts";
import { type Answer, addressOf, call } from "../../api/client.ts";
import { read } from "../../api/read.ts";
import { send } from "../../api/session.ts";
import { download } from "../../lib/download.ts";
import { Failure, failureOf } from "../../lib/failure.ts";
import { textOf } from "../../lib/use-form.ts";
import { useChange } from "../../ui/form/use-change.ts";
import { t } from "./texts.ts";

/** Input of an export. */
export type ExportInput = Routes["POST /exports"]["body"];
type Filters = NonNullable<ExportInput["filters"]>;

/** Row types of an export, the most useful first. */
export const exportTypes = [
	"pages",
	"landing_pages",
	"sources",
	"mediums",
	"campaigns",
	"terms",
	"countries",
	"devices",
	"browsers",
	"os",
	"time_series",
	"conversions",
	"microconversions",
] as const satisfies readonly ExportInput["export_type"][];
export const exportFormats = ["csv", "json", "parquet"] as const satisfies readonly ExportInput["format"][];
/** Filters that have a field of their own. */
const filterFields = [
	"utm_source",
	"utm_medium",
	"utm_campaign",
	"country",
	"device_type",
	"advanced_filters",
] as const satisfies readonly (keyof Filters)[];

/** Values of the form; a country code is upper-cased. */
export function inputOf(values: FormData): ExportInput {
	const filters: Filters = Object.fromEntries(
		filterFields.flatMap((name) => {
			const text = textOf(values, name).trim();
			return text === "" ? [] : [[name, name === "country" && text.length === 2 ? text.toUpperCase() : text]];
		}),
	);
	return {
		export_type: exportTypes.find((type) => type === textOf(values, "export_type")) ?? "pages",
		format: exportFormats.find((format) => format === textOf(values, "format")) ?? "csv",
		date_from: textOf(values, "date_from"),
		date_to: textOf(values, "date_to"),
		...(Object.keys(filters).length > 0 && { filters }),
	};
}

/** An export of a site. */
export type Job = Answer<"GET /exports">["exports"][number];

const stale = ["GET /exports"] as const;
const everyMs = 2_000;

/** True while an export waits or is made. */
export const isRunning = ({ status }: Pick<Job, "status">): boolean =>
	status === "pending" || status === "estimating" || status === "generating";

/** The exports of a site, newest first; looked at again while one is made. */
export const jobsQuery = (site: string, includeExpired: boolean) =>
	queryOptions({
		...read("GET /exports", { query: { account_id: site, limit: 50, include_expired: includeExpired } }),
		refetchInterval: ({ state }) => (state.data?.exports.some(isRunning) ? everyMs : false),
	});

/** Estimate of an export; undefined while the dates are invalid. */
export const estimateQuery = (site: string, input: ExportInput | undefined) =>
	queryOptions({
		queryKey: ["POST /exports/estimate", { site, input }],
		queryFn: ({ signal }) => {
			if (input === undefined) throw new Error("Nothing to estimate");
			return call("POST /exports/estimate", { query: { account_id: site }, body: input, signal });
		},
		enabled: input !== undefined,
	});

/**
 * Saves a small export at once.
 * @throws {Failure} with the API's code; `payload_too_large` for more than 10,000 rows.
 */
export async function saveNow(site: string, input: ExportInput): Promise<void> {
	const response = await send(addressOf("POST /exports/stream", {}, { account_id: site }), {
		method: "POST",
		headers: { "Content-Type": "application/json" },
		body: JSON.stringify(input),
	});
	if (response.status === 413) throw new Failure(await response.text(), { status: 413, code: "payload_too_large" });
	if (!response.ok) throw await failureOf(response);
	download(
		`${site}-${input.export_type}-${input.date_from}-${input.date_to}.${input.format ?? "csv"}`,
		await response.blob(),
	);
}

/** The changes of a site's exports. */
export function useExports(site: string) {
	const query = { account_id: site };
	return {
		create: useChange({
			run: (body: ExportInput) => call("POST /exports", { query, body }),
			stale,
			done: ({ job }) => (job.status === "completed" ? t.ready : t.making),
		}),
		/** The same once more: the list leaves filters out, so they are asked for first. */
		repeat: useChange({
			run: async ({ job_id }: Job) => {
				const { export_type, format, date_from, date_to, filters } = await call("GET /exports/{job_id}", {
					path: { job_id },
					query,
				});
				return call("POST /exports", { query, body: { export_type, format, date_from, date_to, filters } });
			},
			stale,
			done: ({ job }) => (job.status === "completed" ? t.ready : t.making),
		}),
		remove: useChange({
			run: ({ job_id }: Job) => call("DELETE /exports/{job_id}", { path: { job_id }, query }),
			stale,
			done: (_, { status }) => (status === "pending" ? t.cancelled : t.removed),
		}),
	};
}
