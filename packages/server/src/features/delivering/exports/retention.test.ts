import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { pageviewRow } from "../../../../test/support/event-rows.ts";
import { type ExportSite, exportSite } from "../../../../test/support/export-site.ts";
import { insertRows } from "../../../../test/support/oracle-app.ts";
import { testApp } from "../../../../test/support/test-app.ts";

let site: ExportSite;
before(async () => {
	site = await exportSite(await testApp());
	const days = ["2024-11-20", "2024-11-21", "2024-11-22"];
	const at = (date: string) => ({
		ts: Date.parse(`${date}T10:00:00Z`),
		site: "shop",
		date,
		hour: 10,
		page_view: 0 as const,
	});
	await insertRows(
		site.app.eventStore,
		days.flatMap((date) => [
			pageviewRow({ ...at(date), kind: "microconversion", microconversion: 1, event_type: "signup" }),
			pageviewRow({ ...at(date), kind: "conversion", conversion: 1, event_type: "purchase" }),
		]),
	);
});
after(() => site.app.close());

const daysOf = async (export_type: string, date_to: string) => {
	const body = { export_type, date_from: "2024-11-01", date_to, format: "json" };
	const { estimated_rows } = (await site.call("POST /exports/estimate", body)).json();
	const rows: { date: string }[] = (await site.call("POST /exports/stream", body)).json();
	assert.equal(rows.length, estimated_rows);
	return rows.map(({ date }) => date);
};

test("microconversions are exported for two years, conversions as long as they are kept", async () => {
	assert.deepEqual(await daysOf("microconversions", "2024-11-30"), ["2024-11-21", "2024-11-22"]);
	assert.deepEqual(await daysOf("microconversions", "2024-11-20"), []);
	assert.deepEqual(await daysOf("conversions", "2024-11-30"), ["2024-11-20", "2024-11-21", "2024-11-22"]);
});
