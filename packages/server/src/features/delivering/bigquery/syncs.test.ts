import assert from "node:assert/strict";
import { test } from "node:test";
import type { Tables } from "../../../../migrations/metadata/tables/index.ts";
import { connection, oneTable, sharedBigQuerySite } from "../../../../test/support/bigquery-site.ts";
import type { GotRequest } from "../../../../test/support/bigquery-stand-in.ts";
import { days } from "../../../../test/support/export-site.ts";
import { codeOf } from "../../../../test/support/refusals.ts";

const HOUR = 3_600_000;
const backfill = { date_from: "2026-11-15", date_to: "2026-11-21", chunk_days: 3 };

const at = sharedBigQuerySite();

const isUpload = ({ method, path }: GotRequest) => method === "PUT" && path.startsWith("/upload/");
const beginsUpload = ({ method, path }: GotRequest) => method === "POST" && path.startsWith("/upload/");
const isMerge = ({ body }: GotRequest) => body.includes("MERGE");
const failure = (code: number, message: string, reason: string) => ({
	status: code,
	body: { error: { code, message, errors: [{ reason }] } },
});
const busy = failure(503, "busy", "backendError");
/** Asks for a longer pause than a request makes: the job is tried again instead. */
const busyForLong = { ...busy, headers: { "retry-after": "60" } };
const denied = failure(403, "Access Denied: Table", "accessDenied");
/** The first days of the parts that were put into tables, in their order. */
const mergedDays = (): string[] =>
	at.google.requests
		.map(({ body }) => body.toString("latin1"))
		.filter((text) => text.includes("MERGE `") && text.includes("fact_"))
		.map((text) => /"date_from".*?"value":"([\d-]+)"/.exec(text)?.[1] ?? "");
/** How the latest sync stands, and why. */
const outcome = async () => {
	const [log] = await at.logs();
	return [log?.status, log?.error_message];
};
const sum = (rows: readonly Record<string, unknown>[], field: string) =>
	rows.reduce((total, row) => total + Number(row[field]), 0);

test("the rows of each day add up to the figures of the reports", async () => {
	await at.connect({
		initial_date_from: "2026-11-18",
		data_types: ["traffic", "traffic_hourly", "conversions", "landing_pages", "pages", "microconversions"],
	});
	for (const day of ["2026-11-18", "2026-11-19", "2026-11-20", "2026-11-21"]) {
		const url = `/api/v1/stats/overview?site_id=shop&start_date=${day}&end_date=${day}`;
		const answer = await at.app.inject({ url, headers: { ...at.site.ann.headers } });
		assert.equal(answer.statusCode, 200, answer.body);
		const expected = answer.json().data.traffic;
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
	const [first] = at.google.rows("fact_traffic_daily");
	assert.deepEqual([first?.date, first?.day_of_week], ["2026-11-19", 4]);
});

test("a sync replaces the days that it covers and no others", async () => {
	await at.connect(oneTable);
	const counts = () =>
		["2026-11-19", "2026-11-20", "2026-11-21"].map((day) => at.dates().filter((date) => date === day).length);
	assert.deepEqual(counts(), [1, 0, 1]);
	await at.site.addConversions(5, "2026-11-20");
	await at.site.addConversions(7, "2026-11-19");
	const days = { date_from: "2026-11-20", date_to: "2026-11-21" };
	const { tables, ...answer } = (await at.sync("POST /sync", days)).json();
	assert.equal(tables.fact_conversions.rows, 6);
	const [total_rows, total_bytes] = ["rows", "bytes"].map((field) => sum(Object.values(tables), field));
	const totals = { total_rows, total_bytes };
	assert.partialDeepStrictEqual(answer, { status: "success", sync_type: "incremental", ...days, ...totals });
	assert.deepEqual(counts(), [1, 5, 1]);
	await at.app.eventStore.command("ALTER TABLE events DELETE WHERE date = '2026-11-20' SETTINGS mutations_sync = 2");
	await at.sync("POST /sync", { date_from: "2026-11-20", date_to: "2026-11-20" });
	assert.deepEqual(counts(), [1, 0, 1]);
	const staging = [...at.google.tables.keys()].filter((name) => name.includes("staging"));
	assert.deepEqual(staging, [], "the tables of the upload are dropped");
});

test("a failed part of a backfill stops no other part, and is retried alone", async () => {
	await at.connect(oneTable);
	const error = { reason: "invalidQuery", message: "No matching signature" };
	at.google.failJobs((text) => text.includes("MERGE") && text.includes("fact_conversions"), error);
	const asked = { date_from: "2026-11-17", date_to: "2026-11-21", chunk_days: 2 };
	const { log_id, failed_chunks, ...answer } = (await at.sync("POST /backfill", asked)).json();
	const failed = { date_from: "2026-11-19", date_to: "2026-11-20" };
	const reason = "fact_conversions: No matching signature";
	assert.deepEqual(failed_chunks, [{ ...failed, error: reason }]);
	assert.partialDeepStrictEqual(answer, { status: "partial", sync_type: "backfill", total_chunks: 3 });
	const noted = { last_sync_status: "partial", last_error: `1 of 3 parts failed: ${reason}` };
	assert.partialDeepStrictEqual((await at.call("GET ")).json(), noted);
	await at.site.addConversions(2, "2026-11-20");
	const retried = (await at.sync(`POST /retry/${log_id}`)).json();
	const [log] = await at.logs();
	const again = { original_log_id: log_id, new_sync_id: log?.sync_id };
	assert.partialDeepStrictEqual(retried, { status: "success", sync_type: "retry", ...again });
	assert.partialDeepStrictEqual(log, { ...failed, total_chunks: 1 });
	assert.equal(at.dates().filter((date) => date === "2026-11-20").length, 2);
	assert.deepEqual(codeOf(await at.call(`POST /retry/${log?.id}`)), [409, "conflict"]);
});

test("missing rights end a sync with 502 and the reason, and its remaining days can be retried", async () => {
	await at.connect(oneTable);
	at.google.fail(({ path }) => /upload/.test(path), denied);
	const answer = await at.sync("POST /backfill", { ...backfill, chunk_days: 4 });
	assert.deepEqual(codeOf(answer), [502, "bad_gateway"], answer.body);
	assert.match(answer.json().error.message, /Access Denied: Table/);
	const [log] = await at.logs();
	assert.deepEqual([log?.status, log?.completed_chunks], ["failed", 0]);
	assert.equal((await at.sync(`POST /retry/${log?.id}`)).json().status, "success");
});

test("traffic_hourly sends no hours older than ninety days", async () => {
	await at.connect({ data_types: ["traffic_hourly"] });
	await at.sync("POST /backfill", { date_from: "2026-08-20", date_to: "2026-08-25", chunk_days: 30 });
	const cleared = at.google.requests
		.map(({ body }) => body.toString())
		.filter((body) => body.includes("DELETE FROM") && body.includes("fact_traffic_hourly"));
	assert.equal(cleared.length, 1);
	assert.ok(cleared[0]?.includes('"value":"2026-08-24"') && cleared[0].includes('"value":"2026-08-25"'));
});

test("a request is repeated after 429, 503, a broken connection, an ended token and an unfinished job", async () => {
	at.google.fail(({ path }) => path === "/token", { ...busy, status: 429, headers: { "retry-after": "0" } });
	at.google.fail(({ path }) => path.endsWith("/datasets/footfall"), "drop");
	assert.equal((await at.call("POST ", { ...connection, ...oneTable })).statusCode, 201);
	at.google.looksBeforeDone = 1;
	at.google.fail(beginsUpload, busy);
	at.google.fail(isUpload, "drop");
	at.google.fail(isMerge, "drop");
	at.google.revokeTokens();
	await at.app.jobs.runDue();
	assert.deepEqual(await outcome(), ["success", null]);
	const found = at.google.rows("fact_conversions").map(({ date, revenue }) => [date, revenue]);
	assert.deepEqual(found, [
		["2026-11-19", "12.5"],
		["2026-11-21", "-3"],
	]);
});

test("a file of several pieces arrives whole when one piece is lost and another is cut", async () => {
	await at.connect(oneTable);
	await at.app.eventStore.command(
		`INSERT INTO events (site, date, hour, ts, session, kind, event_type, conversion, properties)
		SELECT 'shop', '2026-11-20', 12, toDateTime64('2026-11-20 12:00:00', 3, 'UTC'), number, 'conversion', 'order', 1,
			map('n', toString(number), 'note', repeat('x', 9000)) FROM numbers(1500)`,
	);
	let piece = 0;
	const lost = { status: 308, headers: { range: "bytes=0-4194303" } };
	at.google.fail((request) => isUpload(request) && ++piece === 2, lost);
	at.google.fail((request) => isUpload(request) && piece === 3, "drop");
	const { tables } = (await at.sync("POST /sync", { date_from: "2026-11-20", date_to: "2026-11-20" })).json();
	assert.equal(tables.fact_conversions.rows, 1500);
	assert.ok(tables.fact_conversions.bytes > 3 * 4 * 1024 ** 2, "several pieces");
	const rows = at.google.rows("fact_conversions").filter(({ date }) => date === "2026-11-20");
	assert.equal(new Set(rows.map(({ properties }) => JSON.stringify(properties))).size, 1500);
});

test("a sync that BigQuery interrupts is tried again, and resumes at the part that it had reached", async () => {
	await at.connect(oneTable);
	await at.site.addConversions(1, "2026-11-16");
	await at.site.addConversions(1, "2026-11-18");
	const before = mergedDays().length;
	// The first upload is that of the countries.
	let uploads = 0;
	at.google.fail((request) => isUpload(request) && ++uploads > 2, busyForLong, 3);
	assert.equal((await at.sync("POST /backfill", backfill)).json().status, "running");
	const [waiting] = await at.logs();
	assert.deepEqual([waiting?.status, waiting?.completed_chunks, waiting?.error_message], ["running", 1, "busy"]);
	for (const [route, body] of Object.entries({ "POST /sync": {}, "POST /backfill": days })) {
		assert.equal((await at.call(route, body)).json().error.code, "conflict", `one sync at a time: ${route}`);
	}
	for (let wait = 0; wait < 3; wait++) await at.later(6 * 60_000);
	const [log] = await at.logs();
	assert.deepEqual([log?.status, log?.completed_chunks, log?.error_message], ["success", 3, null]);
	assert.deepEqual(mergedDays().slice(before), ["2026-11-15", "2026-11-18", "2026-11-21"]);
});

test("a sync fails after twenty minutes of interruptions, with the reason of the last", async () => {
	await at.call("POST ", { ...connection, ...oneTable });
	at.google.fail(isMerge, busyForLong, 1000);
	await at.app.jobs.runDue();
	for (let wait = 0; wait < 4; wait++) await at.later(20 * 60_000);
	assert.deepEqual(await outcome(), ["failed", "busy"]);
	assert.deepEqual((await at.call("GET ")).json().last_error, "busy");
});

test("an upload that Google directs to another host is not sent", async () => {
	await at.call("POST ", { ...connection, ...oneTable });
	const headers = { location: "http://127.0.0.1:1/upload" };
	at.google.fail(beginsUpload, { status: 200, headers }, 1000);
	await at.app.jobs.runDue();
	assert.deepEqual(await outcome(), ["running", "An upload did not arrive"]);
});

// The schedules go on from the latest moment of the file, so the clock of the next two tests only goes forward.
test("an hourly integration syncs once an hour, and a manual one not at all", async () => {
	await at.reset("2026-12-01T12:00:00.000Z");
	await at.connect({ ...oneTable, sync_frequency: "hourly" });
	const count = async () => (await at.logs()).filter(({ sync_type }) => sync_type === "incremental").length;
	for (let hour = 1; hour <= 3; hour++) {
		await at.later(HOUR);
		assert.equal(await count(), hour);
	}
	await at.call("PATCH ", { sync_frequency: "manual" });
	await at.later(48 * HOUR);
	assert.equal(await count(), 3);
});

test("a sync without dates covers the two days before the last sync until today", async () => {
	await at.reset("2026-12-21T12:00:00.000Z");
	await at.connect({ ...oneTable, initial_date_from: "2026-12-19", initial_date_to: "2026-12-21" });
	await at.later(5 * 24 * HOUR);
	const [log] = await at.logs();
	assert.deepEqual([log?.date_from, log?.date_to, log?.sync_type], ["2026-12-19", "2026-12-26", "incremental"]);
	const answer = await at.sync("POST /sync");
	assert.deepEqual([answer.json().date_from, answer.json().date_to], ["2026-12-24", "2026-12-26"]);
	for (const body of [
		{ date_from: "2026-12-26", date_to: "2026-12-25" },
		{ date_to: "2026-12-27" },
		{ date_from: "2025-12-26" },
	]) {
		assert.equal((await at.call("POST /sync", body)).statusCode, 400, JSON.stringify(body));
	}
});

// The last one of the file: the service does no further jobs.
test("a service that closes in the middle of a sync leaves the rest of it to its next start", async () => {
	await at.reset("2026-12-28T12:00:00.000Z");
	await at.site.addConversions(1, "2026-11-10");
	await at.call("POST ", { ...connection, ...oneTable, initial_date_from: "2026-11-08" });
	// The first upload is that of the countries, the second that of the first part.
	let uploads = 0;
	let closing: Promise<void> | undefined;
	at.google.before = async (request) => {
		if (isUpload(request) && ++uploads === 3) closing = at.app.jobs.close();
	};
	await at.app.jobs.runDue();
	await closing;
	const [log] = await at.logs();
	assert.deepEqual([log?.status, log?.completed_chunks, log?.error_message], ["running", 1, null]);
	const jobs = at.app.metadata.withTables<Tables>().selectFrom("jobs").select(["attempts", "state"]);
	const left = jobs.where("kind", "=", "bigquery-sync").where("state", "!=", "done");
	assert.deepEqual(await left.execute(), [{ attempts: 0, state: "pending" }]);
});
