import assert from "node:assert/strict";
import { mkdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { sql } from "kysely";
import { signIn } from "../support/accounts.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { testApp } from "../support/test-app.ts";

test("a spool that holds all it may is answered 503 with the time to come back", async (t) => {
	const dataDir = temporaryFolder(t);
	const refused = join(dataDir, "spool", "refused");
	mkdirSync(refused, { recursive: true });
	const file = join(refused, "0123456789abcdef-0.damage");
	writeFileSync(file, "");
	truncateSync(file, 64 * 1024 ** 2);
	await using app = await testApp({ dataDir, env: { SPOOL_MAX_BYTES: "64MB" } });
	const response = await fetch(`${await app.address()}/event`, { method: "POST", body: "{}" });
	assert.equal(response.status, 503);
	assert.equal(response.headers.get("retry-after"), "5");
	assert.equal(response.headers.get("access-control-allow-origin"), "*");
	assert.equal((await app.inject({ url: "/readyz" })).json().checks.storage, "failed");
	const { checks } = (await app.inject({ url: "/health" })).json();
	assert.equal(checks.storage.message, "hits cannot be stored");
});

test("accounts that a full disk cannot keep are answered 503 with a code, and nothing of them stays", async () => {
	await using app = await testApp();
	const session = await signIn(app);
	const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(app.metadata);
	await sql`pragma max_page_count = ${sql.lit(rows[0]?.page_count ?? 0)}`.execute(app.metadata);
	const create = (name: string) => {
		const payload = { name, domains: [`${"long-".repeat(8)}${name}.example`], timezone: "UTC" };
		return app.inject({ method: "POST", url: "/api/v1/sites", headers: session.headers, payload });
	};
	let refused = await create("site-0");
	for (let n = 1; refused.statusCode === 201; n++) refused = await create(`site-${n}`);
	assert.deepEqual([refused.statusCode, refused.json().error.code], [503, "database_unavailable"]);
	await sql`pragma max_page_count = 1000000`.execute(app.metadata);
	assert.equal((await create("after")).statusCode, 201);
});

test("a spool smaller than what hits may need at once is no setting", async () => {
	await assert.rejects(testApp({ env: { SPOOL_MAX_BYTES: "1MB" } }), /SPOOL_MAX_BYTES must be .* at least 64MB/);
});
