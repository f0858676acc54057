import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { createSite, signIn } from "../support/accounts.ts";
import { sendHit } from "../support/hits.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { testApp } from "../support/test-app.ts";
import { postgresSkip, testSchema } from "../support/test-schema.ts";
import { unsteadyServer } from "../support/unsteady-server.ts";

const directory = temporaryFolder();

/** A schema of the tests' PostgreSQL, asked by way of a server that can go away and fall silent. */
async function unsteadySchema(t: TestContext) {
	const schema = await testSchema();
	const url = new URL(schema.url);
	const server = await unsteadyServer(Number(url.port || 5432));
	url.port = String(server.port);
	await server.comeBack();
	t.after(async () => {
		await server.close();
		await schema.drop();
	});
	return { server, url: url.toString() };
}

test("while PostgreSQL is away at the start hits are taken with the settings of before, and all goes on when it is back", {
	skip: postgresSkip,
}, async (t) => {
	const { server, url } = await unsteadySchema(t);
	const dataDir = join(directory, "away");
	const start = (now: string) => testApp({ dataDir, now, env: { DATABASE_URL: url } });
	const before = await start("2026-11-21T12:00:00.000Z");
	const session = await signIn(before);
	const site = await createSite(before, session, { timezone: "Asia/Tokyo" });
	assert.equal(await sendHit(before, { site, url: "https://shop.example/one" }), 204);
	await before.close();
	assert.doesNotMatch(readFileSync(join(dataDir, "standby"), "latin1"), /shop\.example|Tokyo/);
	await server.goAway();
	await using app = await start("2026-11-21T12:02:00.000Z");
	assert.equal(await sendHit(app, { site, url: "https://shop.example/two" }), 204);
	assert.equal(await sendHit(app, { site, url: "https://other.example/" }), 204);
	const ask = () => app.inject({ url: "/api/v1/sites", headers: session.headers });
	const refused = await ask();
	assert.deepEqual([refused.statusCode, refused.json().error.code], [503, "database_unavailable"]);
	assert.equal((await app.inject({ url: "/readyz" })).json().checks.migrations, "failed");
	await server.comeBack();
	await app.accountTables.whenReady;
	assert.equal((await ask()).statusCode, 200);
	assert.equal((await app.inject({ url: "/readyz" })).statusCode, 200);
	const other = await createSite(app, session, { name: "Other", domains: ["other.example"] });
	assert.equal(await sendHit(app, { site: other, url: "https://other.example/" }), 204);
	await app.collector?.flush();
	const sql =
		"SELECT site, path, entrance, toString(date) AS date FROM events WHERE kind = 'pageview' ORDER BY ts, site DESC";
	assert.deepEqual(await app.eventStore.query({ sql }), [
		{ site, path: "/one", entrance: 1, date: "2026-11-21" },
		{ site, path: "/two", entrance: 0, date: "2026-11-21" },
		{ site: other, path: "/", entrance: 1, date: "2026-11-21" },
	]);
});

test("while PostgreSQL is silent hits are kept and the API answers 503; all goes on when it answers again", {
	skip: postgresSkip,
}, async (t) => {
	const { server, url } = await unsteadySchema(t);
	await using app = await testApp({ dataDir: join(directory, "silent"), env: { DATABASE_URL: url } });
	const session = await signIn(app);
	const site = await createSite(app, session);
	const ask = () => app.inject({ url: "/api/v1/sites", headers: session.headers });
	assert.equal((await ask()).statusCode, 200);
	await server.fallSilent();
	const asked = ask();
	assert.equal(await sendHit(app, { site, url: "https://shop.example/" }), 204);
	const refused = await asked;
	assert.deepEqual([refused.statusCode, refused.json().error.code], [503, "database_unavailable"]);
	await server.comeBack();
	assert.equal((await ask()).statusCode, 200);
});
