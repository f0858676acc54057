import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import type { Metric } from "../../catalog/metrics.ts";
import type { DateRange } from "../question/date-range.ts";
import type { PageRequest, ReportQuery, ReportRow } from "../question/report-query.ts";
import { compilePage, type Statement } from "./compile.ts";
import { compileCompared } from "./compile-compared.ts";
import type { RunDeps } from "./run.ts";
import { type ComparedRow, comparedRows, type Found } from "./run.ts";

/** A reader on a slow line holds the query open while it takes the rows, and the engine counts that time too. */
const MAX_SECONDS = 300;
/** Limit until the first rows, as for any other report. */
const FIRST_ROWS_MS = 30_000;

/** Dependencies of reading in batches. */
interface StreamDeps extends RunDeps {
	readonly clock: Clock;
}

/** Rows of a statement in batches. Throws `gateway_timeout` when the first rows take too long. */
async function* streamRows<Row extends object>(
	{ eventStore, clock }: StreamDeps,
	statement: Statement,
): AsyncGenerator<readonly Row[]> {
	const tooSlow = new AbortController();
	const cancel = clock.after(FIRST_ROWS_MS, () => tooSlow.abort(new ServiceError("gateway_timeout")));
	try {
		const batches = eventStore.stream<Row>({
			...statement,
			settings: { ...statement.settings, max_execution_time: MAX_SECONDS },
			signal: tooSlow.signal,
		});
		for await (const rows of batches) {
			cancel();
			yield rows;
		}
	} finally {
		cancel();
	}
}

/** One sorted page of groups in batches, for pages too long to be held in memory. Throws as `streamRows`. */
export const streamPage = <M extends Metric>(
	deps: StreamDeps,
	query: ReportQuery<M>,
	page: Omit<PageRequest, "totals">,
): AsyncGenerator<readonly ReportRow<M>[]> => streamRows(deps, compilePage(query, { ...page, totals: [] }));

/** The same, each group beside itself in an earlier period. */
export async function* streamCompared<M extends Metric>(
	deps: StreamDeps,
	query: ReportQuery<M>,
	earlier: DateRange,
	page: Omit<PageRequest, "totals">,
): AsyncGenerator<readonly ComparedRow<M>[]> {
	const compiled = compileCompared({ ...query, earlier }, page);
	for await (const rows of streamRows<Found<M>>(deps, compiled)) yield comparedRows(query, rows);
}
