import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { appOnBothEngines } from "../../../../test/support/app-on-both-engines.ts";
import { type BigQuerySite, bigQuerySite, connection } from "../../../../test/support/bigquery-site.ts";
import { days } from "../../../../test/support/export-site.ts";

const HOUR = 3_600_000;
/** Each table is some twenty requests. */
const small = { data_types: ["conversions"] };

appOnBothEngines("syncs with BigQuery", (open) => {
	let at: BigQuerySite;
	beforeEach(async () => {
		at = await bigQuerySite((env) => open({ env }));
	});
	afterEach(() => at.close());

	/** Figures of a day as the service reports them. */
	const reported = async (day: string) => {
		const url = `/api/v1/stats/overview?site_id=shop&start_date=${day}&end_date=${day}`;
		const answer = await at.app.inject({ url, headers: { ...at.site.ann.headers } });
		assert.equal(answer.statusCode, 200, answer.body);
		return answer.json().data.traffic;
	};
	const sum = (rows: readonly Record<string, unknown>[], field: string) =>
		rows.reduce((total, row) => total + Number(row[field]), 0);

	test("the figures of each day are those of the reports", async () => {
		await at.connect({
			initial_date_from: "2026-11-18",
			data_types: ["traffic", "traffic_hourly", "conversions", "landing_pages", "pages", "microconversions"],
		});
		for (const day of ["2026-11-18", "2026-11-19", "2026-11-20", "2026-11-21"]) {
			const expected = await reported(day);
			const of = (table: string) => at.google.rows(table).filter((row) => row.date === day);
			for (const table of ["fact_traffic_daily", "fact_traffic_hourly", "fact_landing_pages"]) {
				for (const metric of ["entrances", "engaged_entrances", "microconversions", "conversions", "revenue"]) {
					assert.equal(sum(of(table), metric), expected[metric], `${table} ${day} ${metric}`);
				}
			}
			for (const table of ["fact_traffic_daily", "fact_pages"]) {
				assert.equal(sum(of(table), "page_views"), expected.page_views, `${table} ${day}`);
			}
			assert.equal(sum(of("fact_conversions"), "count"), expected.conversions);
			assert.equal(sum(of("fact_conversions"), "revenue"), expected.revenue);
			assert.equal(sum(of("fact_microconversions"), "count"), expected.microconversions);
		}
		assert.deepEqual(at.google.rows("fact_traffic_daily").map(({ date, day_of_week }) => [date, day_of_week])[0], [
			"2026-11-19",
			4,
		]);
	});

	test("a sync replaces the days that it covers, and no others", async () => {
		await at.connect(small);
		const shown = (day: string) => at.google.rows("fact_conversions").filter((row) => row.date === day).length;
		assert.deepEqual([shown("2026-11-19"), shown("2026-11-20"), shown("2026-11-21")], [1, 0, 1]);
		await at.site.addConversions(5, "2026-11-20");
		await at.site.addConversions(7, "2026-11-19");
		const answer = await at.sync("POST /sync", { date_from: "2026-11-20", date_to: "2026-11-21" });
		assert.equal(answer.statusCode, 200, answer.body);
		const { status, sync_type, date_from, date_to, tables, total_rows, total_bytes, message } = answer.json();
		assert.deepEqual([status, sync_type, date_from, date_to], ["success", "incremental", "2026-11-20", "2026-11-21"]);
		assert.equal(tables.fact_conversions.rows, 6);
		assert.equal(total_rows, sum(Object.values(tables), "rows"));
		assert.equal(total_bytes, sum(Object.values(tables), "bytes"));
		assert.equal(message, `${total_rows} rows were synced`);
		assert.deepEqual([shown("2026-11-19"), shown("2026-11-20"), shown("2026-11-21")], [1, 5, 1]);
		await at.app.eventStore.command("ALTER TABLE events DELETE WHERE date = '2026-11-20' SETTINGS mutations_sync = 2");
		await at.sync("POST /sync", { date_from: "2026-11-20", date_to: "2026-11-20" });
		assert.deepEqual([shown("2026-11-19"), shown("2026-11-20"), shown("2026-11-21")], [1, 0, 1]);
		assert.deepEqual(
			[...at.google.tables.keys()].filter((name) => name.includes("staging")),
			[],
			"nothing is left beside the tables",
		);
	});

	test("without dates a sync goes from two days before the last one until today", async () => {
		await at.connect(small);
		await at.later(5 * 24 * HOUR);
		const [log] = await at.logs();
		assert.deepEqual([log?.date_from, log?.date_to, log?.sync_type], ["2026-11-19", "2026-11-26", "incremental"]);
		const answer = await at.sync("POST /sync");
		assert.deepEqual([answer.json().date_from, answer.json().date_to], ["2026-11-24", "2026-11-26"]);
		for (const body of [
			{ date_from: "2026-11-26", date_to: "2026-11-25" },
			{ date_to: "2026-11-27" },
			{ date_from: "2025-11-26" },
		]) {
			assert.equal((await at.call("POST /sync", body)).statusCode, 400, JSON.stringify(body));
		}
		assert.equal((await at.call("POST /sync", { date_from: "yesterday" })).statusCode, 422);
	});

	test("every hour or day comes by itself, once", async () => {
		await at.connect({ ...small, sync_frequency: "hourly" });
		const begun = async () => (await at.logs()).filter(({ sync_type }) => sync_type === "incremental").length;
		for (let hour = 1; hour <= 3; hour++) {
			await at.later(HOUR);
			assert.equal(await begun(), hour);
		}
		await at.call("PATCH ", { sync_frequency: "manual" });
		await at.later(48 * HOUR);
		assert.equal(await begun(), 3);
	});

	test("a site has one sync at a time", async () => {
		await at.call("POST ", { ...connection, ...small });
		for (const [route, body] of [
			["POST /sync", {}],
			["POST /backfill", days],
		] as const) {
			const answer = await at.call(route, body);
			assert.deepEqual([answer.statusCode, answer.json().error.code], [409, "conflict"], route);
		}
		await at.app.jobs.runDue();
		assert.equal((await at.sync("POST /sync")).statusCode, 200);
	});

	test("a backfill goes part by part; one that fails stops no other, and is retried alone", async () => {
		await at.connect(small);
		at.google.failJobs((text) => text.includes("MERGE") && text.includes("fact_conversions"), {
			reason: "invalidQuery",
			message: "No matching signature",
		});
		const answer = await at.sync("POST /backfill", { date_from: "2026-11-17", date_to: "2026-11-21", chunk_days: 2 });
		assert.equal(answer.statusCode, 200, answer.body);
		const { status, sync_type, total_chunks, failed_chunks, log_id } = answer.json();
		assert.deepEqual([status, sync_type, total_chunks], ["partial", "backfill", 3]);
		assert.deepEqual(failed_chunks, [
			{ date_from: "2026-11-19", date_to: "2026-11-20", error: "fact_conversions: No matching signature" },
		]);
		const shown = (await at.call("GET ")).json();
		assert.deepEqual(
			[shown.last_sync_status, shown.last_error],
			["partial", "1 of 3 parts failed: fact_conversions: No matching signature"],
		);
		await at.site.addConversions(2, "2026-11-20");
		const retry = await at.sync(`POST /retry/${log_id}`);
		assert.equal(retry.statusCode, 200, retry.body);
		const [log] = await at.logs();
		assert.deepEqual(
			[retry.json().status, retry.json().original_log_id, retry.json().new_sync_id, retry.json().sync_type],
			["success", log_id, log?.sync_id, "retry"],
		);
		assert.deepEqual([log?.date_from, log?.date_to, log?.total_chunks], ["2026-11-19", "2026-11-20", 1]);
		assert.equal(at.google.rows("fact_conversions").filter((row) => row.date === "2026-11-20").length, 2);
		const again = await at.call(`POST /retry/${log?.id}`);
		assert.deepEqual([again.statusCode, again.json().error.code], [409, "conflict"]);
	});

	test("rights that are taken away end a sync with 502 and the reason, and the rest of its days can be retried", async () => {
		await at.connect(small);
		const denied = { error: { code: 403, message: "Access Denied: Table", errors: [{ reason: "accessDenied" }] } };
		at.google.fail(({ path }) => /upload/.test(path), { status: 403, body: denied });
		const answer = await at.sync("POST /backfill", { date_from: "2026-11-15", date_to: "2026-11-21", chunk_days: 4 });
		assert.deepEqual([answer.statusCode, answer.json().error.code], [502, "bad_gateway"], answer.body);
		assert.match(answer.json().error.message, /Access Denied: Table/);
		const [log] = await at.logs();
		assert.deepEqual([log?.status, log?.completed_chunks], ["failed", 0]);
		assert.equal((await at.sync(`POST /retry/${log?.id}`)).json().status, "success");
	});

	test("hours are kept for ninety days, and older ones are not sent", async () => {
		await at.connect({ data_types: ["traffic_hourly"] });
		await at.sync("POST /backfill", { date_from: "2026-08-20", date_to: "2026-08-25", chunk_days: 30 });
		const cleared = at.google.requests
			.map(({ body }) => body.toString())
			.filter((body) => body.includes("DELETE FROM") && body.includes("fact_traffic_hourly"));
		assert.equal(cleared.length, 1);
		assert.ok(cleared[0]?.includes('"value":"2026-08-24"') && cleared[0].includes('"value":"2026-08-25"'));
	});

	test("sync_metadata has the syncs that ended, as the log has them", async () => {
		await at.connect(small);
		const [log] = await at.logs();
		const [row, ...others] = at.google.tables.get("footfall.sync_metadata")?.rows ?? [];
		assert.deepEqual(others, []);
		assert.deepEqual(
			[row?.sync_id, row?.status, row?.sync_type, row?.date_from, row?.total_rows_synced, row?.tables_synced],
			[log?.sync_id, "success", "initial", "2026-11-19", log?.total_rows_synced, log?.tables_synced],
		);
	});
});
