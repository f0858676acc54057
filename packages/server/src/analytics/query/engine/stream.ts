import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { Metric } from "../../catalog/metrics.ts";
import type { PageRequest, ReportQuery, ReportRow } from "../question/report-query.ts";
import { compilePage } from "./compile.ts";
import type { RunDeps } from "./run.ts";

/** A reader on a slow line holds the query open while it takes the rows, and the engine counts that time too. */
const MAX_SECONDS = 300;
/** What the engine may spend before it has rows, as with any other report. */
const FIRST_ROWS_MS = 30_000;

/**
 * One sorted page of groups in batches, for pages too long to be held in memory. Throws `gateway_timeout` when the first
 * rows take too long.
 */
export async function* streamPage<M extends Metric>(
	{ eventStore }: RunDeps,
	query: ReportQuery<M>,
	page: Omit<PageRequest, "totals">,
	firstRowsMs = FIRST_ROWS_MS,
): AsyncGenerator<readonly ReportRow<M>[]> {
	const tooSlow = new AbortController();
	const timer = setTimeout(() => tooSlow.abort(new ServiceError("gateway_timeout")), firstRowsMs);
	try {
		const compiled = compilePage(query, { ...page, totals: [] });
		const batches = eventStore.stream<ReportRow<M>>({
			...compiled,
			settings: { ...compiled.settings, max_execution_time: MAX_SECONDS },
			signal: tooSlow.signal,
		});
		for await (const rows of batches) {
			clearTimeout(timer);
			yield rows;
		}
	} finally {
		clearTimeout(timer);
	}
}
