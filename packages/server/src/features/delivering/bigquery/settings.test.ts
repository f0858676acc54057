import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import type { Tables } from "../../../../migrations/metadata/tables/index.ts";
import { appOnBothEngines } from "../../../../test/support/app-on-both-engines.ts";
import { type BigQuerySite, bigQuerySite, connection } from "../../../../test/support/bigquery-site.ts";
import { serviceAccount } from "../../../../test/support/bigquery-stand-in.ts";

/** Each table is some twenty requests. */
const small = { data_types: ["conversions"] };

appOnBothEngines("settings of BigQuery", (open) => {
	let at: BigQuerySite;
	beforeEach(async () => {
		at = await bigQuerySite((env) => open({ env }));
	});
	afterEach(() => at.close());

	test("the key is nowhere but sealed, and nobody is asked but the known hosts", async () => {
		await at.connect(small);
		const secret = serviceAccount.private_key.split("\n")[1] ?? "";
		const rows = await at.app.metadata.withTables<Tables>().selectFrom("bigquery_integrations").selectAll().execute();
		const answers = [await at.call("GET "), await at.call("GET /logs"), await at.call("POST /setup")];
		for (const text of [JSON.stringify(rows), at.app.logLines.join(""), ...answers.map(({ body }) => body)]) {
			assert.ok(!text.includes(secret.slice(0, 30)));
		}
		assert.ok(!at.app.logLines.join("").includes(serviceAccount.client_email));
		assert.ok(at.google.requests.length > 10);
	});

	test("what cannot be a project, a dataset, a location or dates is refused before anybody is asked", async () => {
		const refusals = [
			[{ gcp_project_id: "Shop" }, 422, "body.gcp_project_id"],
			[{ gcp_project_id: "a/../../b" }, 422, "body.gcp_project_id"],
			[{ dataset_id: "foot-fall" }, 422, "body.dataset_id"],
			[{ dataset_id: "x".repeat(1025) }, 422, "body.dataset_id"],
			[{ location: "eu/../x" }, 422, "body.location"],
			[{ sync_frequency: "weekly" }, 422, "body.sync_frequency"],
			[{ data_types: [] }, 422, "body.data_types"],
			[{ backfill_days: 366 }, 422, "body.backfill_days"],
			[{ initial_date_from: null }, 422, "body.initial_date_from"],
			[{ initial_date_to: "2026-11-22" }, 400, undefined],
			[{ initial_date_from: "2025-11-21" }, 400, undefined],
			[{ initial_date_from: "2026-11-21", initial_date_to: "2026-11-20" }, 400, undefined],
			[{ service_account: { ...serviceAccount, type: "user" } }, 400, "body.service_account"],
			[{ service_account: { ...serviceAccount, client_email: "a@example.com" } }, 400, "body.service_account"],
			[{ service_account: { ...serviceAccount, private_key: "secret" } }, 400, "body.service_account"],
		] as const;
		for (const [body, status, field] of refusals) {
			const answer = await at.call("POST ", { ...connection, ...body });
			assert.equal(answer.statusCode, status, JSON.stringify(body) + answer.body);
			assert.equal(answer.json().error.detail?.[0].field, field, JSON.stringify(body));
		}
		assert.deepEqual(at.google.requests, []);
		assert.equal((await at.call("GET ")).body, "null");
	});

	test("a key that Google does not accept is 400, rights that are missing are 502, and nothing is kept of either", async () => {
		const other = { ...serviceAccount, client_email: "other@shop-project.iam.gserviceaccount.com" };
		const unknown = await at.call("POST ", { ...connection, service_account: other });
		assert.equal(unknown.statusCode, 400, unknown.body);
		assert.match(unknown.json().error.message, /Invalid JWT Signature/);
		const denied = { error: { code: 403, message: "Access Denied: Project", errors: [{ reason: "accessDenied" }] } };
		at.google.fail(({ method, path }) => method === "POST" && /datasets/.test(path), { status: 403, body: denied });
		const refused = await at.call("POST ", connection);
		assert.deepEqual([refused.statusCode, refused.json().error.code], [502, "bad_gateway"], refused.body);
		assert.match(refused.json().error.message, /Access Denied: Project/);
		at.google.datasets.set("footfall", { location: "US" });
		const elsewhere = await at.call("POST ", connection);
		assert.equal(elsewhere.statusCode, 400);
		assert.match(elsewhere.json().error.message, /in US/);
		assert.equal((await at.call("GET ")).body, "null");
		assert.equal((await at.call("POST ", { ...connection, location: "US" })).statusCode, 201);
		assert.equal((await at.call("POST ", connection)).json().error.code, "duplicate_entry");
	});

	test("without an integration all but reading it is 404", async () => {
		const days = { date_from: "2026-11-01", date_to: "2026-11-02" };
		for (const [route, body] of [
			["PATCH ", { is_active: false }],
			["DELETE ", undefined],
			["POST /setup", undefined],
			["POST /sync", {}],
			["POST /backfill", days],
			["POST /retry/1", undefined],
			["GET /logs/1", undefined],
		] as const) {
			const answer = await at.call(route, body);
			assert.equal(answer.statusCode, 404, route + answer.body);
		}
		assert.deepEqual((await at.call("GET /logs")).json(), { logs: [], total: 0 });
	});

	test("a paused site is not synced, not even when asked; its sync that runs is cancelled", async () => {
		await at.call("POST ", { ...connection, ...small });
		const paused = await at.call("PATCH ", { is_active: false });
		assert.deepEqual([paused.json().is_active, paused.json().next_sync_at], [false, null]);
		await at.app.jobs.runDue();
		assert.deepEqual(
			(await at.logs()).map(({ status, error_message }) => [status, error_message]),
			[["cancelled", "Paused"]],
		);
		assert.deepEqual(at.google.rows("fact_conversions"), []);
		const asked = await at.call("POST /sync");
		assert.deepEqual([asked.statusCode, asked.json().error.code], [409, "conflict"]);
		const resumed = await at.call("PATCH ", { is_active: true, sync_frequency: "hourly", data_types: ["pages"] });
		assert.match(resumed.json().next_sync_at, /^2026-11-21T1[23]:\d\d:00\.000Z$/);
		assert.equal((await at.sync("POST /sync")).json().status, "success");
		assert.equal(at.google.rows("fact_pages").length > 0, true);
	});

	test("disconnecting forgets key and log, and leaves what is in BigQuery", async () => {
		await at.connect(small);
		const before = at.google.rows("fact_conversions").length;
		assert.equal((await at.call("DELETE ")).statusCode, 204);
		assert.equal((await at.call("GET ")).body, "null");
		assert.deepEqual(await at.logs(), []);
		assert.equal(at.google.rows("fact_conversions").length, before);
		await at.connect(small);
		assert.equal(at.google.rows("fact_conversions").length, before, "the same days replace themselves");
	});

	test("set up again, what was removed in BigQuery is back", async () => {
		await at.connect(small);
		at.google.tables.delete("footfall.fact_conversions");
		const answer = await at.call("POST /setup");
		assert.equal(answer.statusCode, 200, answer.body);
		assert.deepEqual(answer.json(), {
			status: "completed",
			dataset_ref: "shop-project.footfall",
			tables_created: ["fact_conversions", "dim_countries", "sync_metadata"],
			location: "EU",
			message: "shop-project.footfall has its 3 tables",
		});
		assert.deepEqual(at.google.tables.get("footfall.fact_conversions")?.rows, []);
	});

	test("two sites share a dataset: each replaces its own rows only", async () => {
		await at.connect(small);
		const before = at.google.rows("fact_conversions", "shop");
		await at.connect(small, "empty");
		assert.equal(at.google.rows("fact_conversions", "empty").length, 1);
		assert.deepEqual(at.google.rows("fact_conversions", "shop"), before);
		await at.sync("POST /sync", { date_from: "2026-11-19", date_to: "2026-11-21" });
		assert.deepEqual(at.google.rows("fact_conversions", "shop"), before);
		assert.equal(at.google.rows("fact_conversions", "empty").length, 1);
		assert.deepEqual([...new Set(at.google.rows("dim_countries").map((row) => row.account_id))].sort(), [
			"empty",
			"shop",
		]);
	});
});
