import { addressOf } from "../../api/client.ts";
import { send } from "../../api/session.ts";
import { download } from "../../lib/download.ts";
import { failureOf } from "../../lib/failure.ts";
import type { Choice, PivotPage } from "./ask-pivot.ts";
import { metricsOf } from "./figures.ts";
import type { Pivot } from "./pivot.ts";

/** The most rows that one file holds. */
const mostRows = 100_000;

/** The question for all rows of a pivot, without totals. */
export const rowsQuestion = (
	{ days, compared: _, ...choice }: Choice,
	{ rows, columns, figures }: Pivot,
	{ sort }: PivotPage,
) => ({
	...choice,
	date_from: days.from,
	date_to: days.to,
	dimensions: [...rows, ...columns],
	metrics: metricsOf(figures),
	order_by: [sort],
});

/**
 * Saves all rows of a pivot, without totals, as a file that the server writes.
 * @throws {Failure} with the API's code.
 */
export async function saveRows(choice: Choice, pivot: Pivot, page: PivotPage) {
	const { site_id, segment, segment_filters, ...body } = rowsQuestion(choice, pivot, page);
	const filename = `${site_id}-${body.date_from}-${body.date_to}.csv`;
	const address = addressOf("POST /stats/query/export", {}, { site_id, segment, segment_filters, filename });
	const response = await send(address, {
		method: "POST",
		headers: { "Content-Type": "application/json" },
		body: JSON.stringify({ ...body, limit: mostRows }),
	});
	if (!response.ok) throw await failureOf(response);
	download(filename, await response.blob());
}
