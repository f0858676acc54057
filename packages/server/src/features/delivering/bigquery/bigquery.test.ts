import assert from "node:assert/strict";
import { test } from "node:test";
import { getAllCountries } from "countries-and-timezones";
import type { Tables } from "../../../../migrations/metadata/tables/index.ts";
import { connection, oneTable, sharedBigQuerySite } from "../../../../test/support/bigquery-site.ts";
import { serviceAccount } from "../../../../test/support/bigquery-stand-in.ts";
import { codeOf, fieldsOf } from "../../../../test/support/refusals.ts";
import { countryRows } from "./warehouse/fact-rows.ts";

const at = sharedBigQuerySite();

const usualTypes = ["traffic", "conversions", "microconversions", "pages", "landing_pages"];
const usualTables = [
	...["fact_traffic_daily", "fact_pages", "fact_landing_pages", "fact_conversions", "fact_microconversions"],
	...["dim_countries", "sync_metadata"],
];

test("POST creates the dataset and its tables, partitioned by day and clustered by site, and starts the first sync", async () => {
	const answer = await at.call("POST ", connection);
	assert.equal(answer.statusCode, 201, answer.body);
	const { integration, message, dataset_ref, tables_created } = answer.json();
	assert.deepEqual([dataset_ref, tables_created], ["shop-project.footfall", usualTables]);
	assert.deepEqual([integration.data_types, integration.tables_created], [usualTypes, usualTables]);
	assert.match(message, /first sync/);
	assert.match(integration.next_sync_at, /^2026-11-22T03:\d\d:00\.000Z$/);
	assert.partialDeepStrictEqual(integration, {
		...{ account_id: "shop", gcp_project_id: "shop-project", dataset_id: "footfall", location: "EU" },
		...{ service_account_email: serviceAccount.client_email, created_by: at.site.ann.userId },
		...{ sync_frequency: "daily", backfill_days: 30, is_active: true, setup_completed: true, last_sync_at: null },
	});
	assert.deepEqual([...at.google.datasets], [["footfall", { location: "EU" }]]);
	const { timePartitioning, clustering } = at.google.tables.get("footfall.fact_traffic_daily")?.resource ?? {};
	assert.deepEqual(timePartitioning, { type: "DAY", field: "date" });
	assert.deepEqual(clustering, { fields: ["account_id", "channel_group", "utm_source", "country"] });
	await at.app.jobs.runDue();
	const [log, ...others] = await at.logs();
	const first = { date_from: "2026-11-19", status: "success" };
	const whole = { date_to: "2026-11-21", total_chunks: 1, completed_chunks: 1 };
	assert.deepEqual(others, []);
	assert.partialDeepStrictEqual(log, { ...first, ...whole, sync_type: "initial" });
	const noted = { last_sync_at: "2026-11-21T12:00:00.000Z", last_sync_status: "success", last_error: null };
	assert.partialDeepStrictEqual((await at.call("GET ")).json(), noted);
	const same = ["sync_id", "total_rows_synced", "tables_synced"].map((field) => [field, log?.[field]]);
	const [row, ...more] = at.google.tables.get("footfall.sync_metadata")?.rows ?? [];
	assert.deepEqual(more, []);
	assert.partialDeepStrictEqual(row, { ...first, ...Object.fromEntries(same) });
});

test("synced rows equal the reports in attribution, text and money", async () => {
	await at.connect({ data_types: [...usualTypes, "accounts"] });
	const from = { utm_source: "=cmd|'/c calc'!A1", utm_medium: "a,b", utm_campaign: "", country: "Unknown" };
	const last = { account_id: "shop", channel_group: "Direct", date: "2026-11-21", device_type: "desktop", ...from };
	const first = (table: string, isIt: (row: Record<string, unknown>) => boolean = () => true) =>
		at.google.rows(table).find(isIt);
	const found = first("fact_conversions", ({ date }) => date === "2026-11-21");
	assert.deepEqual(found, {
		...{ ...last, utm_term: "", utm_content: "", landing_page: "/", click_id: "" },
		...{ browser: 'The "best"', os: "Linux" },
		...{ conversion_type: "purchase", count: 1, amount: "-3", revenue: "-3", properties: {} },
	});
	assert.deepEqual(at.google.rows("fact_microconversions"), [
		{ ...last, conversion_type: "signup", count: 1, properties: { plan: "ünïcode\\" } },
	]);
	assert.deepEqual(first("fact_pages"), {
		...{ account_id: "shop", channel_group: "Direct", date: "2026-11-19", country: "ES" },
		...{ page_path: "/", content_grouping: "Home", entrances: 1, engaged_entrances: 1, page_views: 1 },
	});
	const account = { account_id: "shop", account_name: "Shop", timezone: "UTC", currency: "EUR" };
	assert.deepEqual(first("dim_accounts"), { ...account, created_at: "2026-11-21T12:00:00.000Z" });
	assert.deepEqual(
		first("dim_countries", ({ country_code }) => country_code === "ES"),
		{ account_id: "shop", country_code: "ES", country_name: "Spain", continent: "Europe", region: "Southern Europe" },
	);
});

test("GET /schema describes the tables as they are created, and needs no site", async () => {
	await at.connect({ data_types: [...usualTypes, "traffic_hourly", "accounts"] });
	const { tables } = (await at.call("GET /schema", undefined, { query: "" })).json();
	const created = [...at.google.tables].map(([name, { fields }]) => [name.replace("footfall.", ""), fields]);
	const described = Object.entries<{ schema: unknown }>(tables).map(([name, { schema }]) => [name, schema]);
	assert.deepEqual(created.sort(), described.sort());
	assert.equal(tables.fact_traffic_hourly.partition_expiration_days, 90);
	const { timePartitioning } = at.google.tables.get("footfall.fact_traffic_hourly")?.resource ?? {};
	assert.deepEqual(timePartitioning, { type: "DAY", field: "date", expirationMs: "7776000000" });
});

test("POST takes a key file as a form with the settings in the address", async () => {
	const form = new FormData();
	form.append("service_account_file", new Blob([JSON.stringify(serviceAccount)]), "key.json");
	const body = new Response(form);
	const settings =
		"gcp_project_id=shop-project&backfill_days=1&data_types=pages&data_types=accounts&sync_frequency=manual";
	const send = (payload: Buffer, type: string) => {
		const headers = { ...at.site.ann.headers, "content-type": type };
		return at.call("POST ", payload, { headers, query: `account_id=shop&${settings}` });
	};
	const type = body.headers.get("content-type") ?? "";
	const answer = await send(Buffer.from(await body.arrayBuffer()), type);
	assert.equal(answer.statusCode, 201, answer.body);
	const { data_types, backfill_days, sync_frequency } = answer.json().integration;
	assert.deepEqual([data_types, backfill_days, sync_frequency], [["pages", "accounts"], 1, "manual"]);
	assert.equal((await send(Buffer.from("no form"), type)).statusCode, 400);
	assert.equal((await send(Buffer.from("{}"), "text/plain")).statusCode, 400);
});

test("the private key appears in no table, answer or log line", async () => {
	await at.connect(oneTable);
	const secret = serviceAccount.private_key.split("\n")[1] ?? "";
	const rows = await at.app.metadata.withTables<Tables>().selectFrom("bigquery_integrations").selectAll().execute();
	const answers = [await at.call("GET "), await at.call("GET /logs"), await at.call("POST /setup")];
	for (const text of [JSON.stringify(rows), at.app.logLines.join(""), ...answers.map(({ body }) => body)]) {
		assert.ok(!text.includes(secret.slice(0, 30)));
	}
	assert.ok(!at.app.logLines.join("").includes(serviceAccount.client_email));
	// The addresses in the key file lead elsewhere: only the known hosts were called.
	assert.ok(at.google.requests.length > 10);
});

test("POST rejects a wrong project, location, key or dates before any request to Google", async () => {
	const account = (fields: object) => ({ service_account: { ...serviceAccount, ...fields } });
	const rejected: readonly (readonly [body: object, status: number, ...fields: readonly string[]])[] = [
		[{ gcp_project_id: "a/../../b" }, 422, "body.gcp_project_id"],
		[{ location: "eu/../x" }, 422, "body.location"],
		[{ initial_date_from: null }, 422, "body.initial_date_from"],
		[{ initial_date_to: "2026-11-22" }, 400],
		[{ initial_date_from: "2025-11-21" }, 400],
		[{ initial_date_from: "2026-11-21", initial_date_to: "2026-11-20" }, 400],
		[account({ type: "user" }), 400, "body.service_account"],
		[account({ client_email: "a@example.com" }), 400, "body.service_account"],
		[account({ private_key: "secret" }), 400, "body.service_account"],
	];
	for (const [body, status, ...fields] of rejected) {
		const answer = await at.call("POST ", { ...connection, ...body });
		assert.deepEqual(fieldsOf(answer), [status, ...fields], JSON.stringify(body) + answer.body);
	}
	assert.deepEqual(at.google.requests, []);
	assert.equal((await at.call("GET ")).body, "null");
});

test("POST answers 400 for a key that Google rejects and 502 for missing rights, and stores neither", async () => {
	const other = { ...serviceAccount, client_email: "other@shop-project.iam.gserviceaccount.com" };
	const refused = async (status: number, message: RegExp, body: object = {}) => {
		const answer = await at.call("POST ", { ...connection, ...body });
		assert.equal(answer.statusCode, status, answer.body);
		assert.match(answer.json().error.message, message);
	};
	await refused(400, /Invalid JWT Signature/, { service_account: other });
	const denied = { error: { code: 403, message: "Access Denied: Project", errors: [{ reason: "accessDenied" }] } };
	at.google.fail(({ method, path }) => method === "POST" && /datasets/.test(path), { status: 403, body: denied });
	await refused(502, /Access Denied: Project/);
	at.google.datasets.set("footfall", { location: "US" });
	await refused(400, /in US/);
	assert.equal((await at.call("GET ")).body, "null");
	assert.equal((await at.call("POST ", { ...connection, location: "US" })).statusCode, 201);
	assert.equal((await at.call("POST ", connection)).json().error.code, "duplicate_entry");
});

test("without an integration nothing is changed or synced, and the log is empty", async () => {
	for (const [route, body] of [
		["PATCH ", { is_active: false }],
		["POST /sync", {}],
		["POST /backfill", { date_from: "2026-11-01", date_to: "2026-11-02" }],
	] as const) {
		assert.equal((await at.call(route, body)).statusCode, 404, route);
	}
	assert.deepEqual((await at.call("GET /logs")).json(), { logs: [], total: 0 });
});

test("pausing cancels the running sync and rejects further ones until the integration is active again", async () => {
	await at.call("POST ", { ...connection, ...oneTable });
	const paused = (await at.call("PATCH ", { is_active: false })).json();
	assert.deepEqual([paused.is_active, paused.next_sync_at], [false, null]);
	await at.app.jobs.runDue();
	const found = (await at.logs()).map(({ status, error_message }) => [status, error_message]);
	assert.deepEqual(found, [["cancelled", "Paused"]]);
	assert.deepEqual(at.dates(), []);
	assert.deepEqual(codeOf(await at.call("POST /sync")), [409, "conflict"]);
	const resumed = await at.call("PATCH ", { is_active: true, sync_frequency: "hourly", data_types: ["pages"] });
	assert.match(resumed.json().next_sync_at, /^2026-11-21T1[23]:\d\d:00\.000Z$/);
	assert.equal((await at.sync("POST /sync")).json().status, "success");
	assert.ok(at.google.rows("fact_pages").length > 0);
});

test("DELETE removes the key and the log, and leaves the rows in BigQuery for a later connection to replace", async () => {
	await at.connect(oneTable);
	assert.equal((await at.call("DELETE ")).statusCode, 204);
	assert.equal((await at.call("GET ")).body, "null");
	assert.deepEqual(await at.logs(), []);
	assert.deepEqual(at.dates(), ["2026-11-19", "2026-11-21"]);
	await at.connect(oneTable);
	assert.deepEqual(at.dates(), ["2026-11-19", "2026-11-21"]);
});

test("POST /setup creates a table again that was removed in BigQuery", async () => {
	await at.connect(oneTable);
	at.google.tables.delete("footfall.fact_conversions");
	const answer = await at.call("POST /setup");
	assert.equal(answer.statusCode, 200, answer.body);
	assert.deepEqual(answer.json().tables_created, ["fact_conversions", "dim_countries", "sync_metadata"]);
	assert.deepEqual(at.google.tables.get("footfall.fact_conversions")?.rows, []);
});

test("two sites in one dataset each replace their own rows only", async () => {
	await at.connect(oneTable);
	const shop = at.google.rows("fact_conversions", "shop");
	await at.connect(oneTable, "empty");
	await at.sync("POST /sync", { date_from: "2026-11-19", date_to: "2026-11-21" });
	assert.equal(at.google.rows("fact_conversions", "empty").length, 1);
	assert.deepEqual(at.google.rows("fact_conversions", "shop"), shop);
	const owners = at.google.rows("dim_countries").map((row) => row.account_id);
	assert.deepEqual([...new Set(owners)].sort(), ["empty", "shop"]);
});

test("each country that a time zone leads to is in one region, and none is there twice", () => {
	const codes = countryRows.map((row) => row.country_code);
	assert.equal(new Set(codes).size, codes.length);
	const missing = Object.keys(getAllCountries()).filter((code) => !codes.includes(code));
	const nameless = countryRows.filter((row) => row.country_code !== "Unknown" && row.country_name === row.country_code);
	assert.deepEqual([missing, nameless], [[], []]);
});
