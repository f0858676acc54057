import { addressOf } from "../../api/client.ts";
import { send } from "../../api/session.ts";
import { download } from "../../lib/download.ts";
import { failureOf } from "../../lib/failure.ts";
import type { Choice, PivotPage } from "./ask-pivot.ts";
import { metricsOf } from "./figures.ts";
import type { Pivot } from "./pivot.ts";

/** The most rows that one file holds. */
const mostRows = 100_000;

/**
 * Saves all rows of a pivot, without totals, as a file that the server writes.
 * @throws {Failure} with the API's code.
 */
export async function saveRows(
	{ days, compared: _, ...choice }: Choice,
	{ rows, columns, figures }: Pivot,
	{ sort }: PivotPage,
) {
	const filename = `${choice.site_id}-${days.from}-${days.to}.csv`;
	const response = await send(addressOf("POST /stats/query/export", {}, { ...choice, filename }), {
		method: "POST",
		headers: { "Content-Type": "application/json" },
		body: JSON.stringify({
			date_from: days.from,
			date_to: days.to,
			dimensions: [...rows, ...columns],
			metrics: metricsOf(figures),
			order_by: [sort],
			limit: mostRows,
		}),
	});
	if (!response.ok) throw await failureOf(response);
	download(filename, await response.blob());
}
