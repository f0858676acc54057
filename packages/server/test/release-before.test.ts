// A data directory that release 0.1.0 wrote, as a kill left it: two hits were acknowledged and not yet in the store.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import packageInfo from "../package.json" with { type: "json" };
import { sendHit } from "./support/hits.ts";
import { newDirectory } from "./support/new-directory.ts";
import { type TestApp, testApp } from "./support/test-app.ts";

const fixture = join(import.meta.dirname, "fixtures/release-0.1.0");
/** Stored in the directory only as a digest. */
const key = "svc_Dm8DxEApEq6suoPBuBbMYUcCA2MZIHLZN7DCb6htoZXbGQf8s9W2aKlgA8bW";
const password = "correct horse battery staple 7";

const folder = newDirectory();
let app: TestApp;

before(async () => {
	const unpacked = spawnSync("tar", ["-xzf", join(fixture, "data.tar.gz"), "-C", folder], { encoding: "utf8" });
	assert.equal(unpacked.status, 0, unpacked.stderr);
	app = await testApp({ dataDir: folder, now: new Date().toISOString() });
	await app.collector?.flush();
});
after(() => app.close());

type Json = ReturnType<typeof JSON.parse>;

async function ask(path: string, headers: Record<string, string> = { "x-api-key": key }): Promise<Json> {
	const response = await app.inject({ url: `/api/v1${path}`, headers });
	assert.equal(response.statusCode, 200, `${path}: ${response.body}`);
	return response.json();
}

/** Every field that was there is there, with the same value; later releases may add fields. */
function assertHolds(actual: unknown, expected: unknown, path: string): void {
	if (typeof expected !== "object" || expected === null) {
		assert.equal(actual, expected, path);
		return;
	}
	assert.ok(typeof actual === "object" && actual !== null, path);
	if (Array.isArray(expected)) assert.equal((actual as unknown[]).length, expected.length, path);
	const fields = new Map(Object.entries(actual));
	for (const [name, value] of Object.entries(expected)) assertHolds(fields.get(name), value, `${path}.${name}`);
}

async function viewsOf(path: string, days: string): Promise<number> {
	const { data } = await ask(`/stats/pages?site_id=shop&${days}&page_size=100`);
	return data.find((row: Json) => row.path === path)?.page_views ?? 0;
}

test("this is another release than the one that wrote the directory", async () => {
	assert.notEqual(packageInfo.version, "0.1.0");
	assertHolds((await app.inject({ url: "/health" })).json(), { version: packageInfo.version }, "health");
});

test("a key that the release before gave out opens the same reports", async () => {
	const answers: Record<string, unknown> = JSON.parse(readFileSync(join(fixture, "answers.json"), "utf8"));
	for (const [path, answer] of Object.entries(answers)) {
		const { timestamp, ...found } = await ask(path);
		assertHolds(found, answer, path);
	}
});

test("hits that the release before had acknowledged when it was killed are counted once", async () => {
	const day = "start_date=2026-11-23&end_date=2026-11-23";
	for (const path of ["/stored", "/waiting-1", "/waiting-2", "/waiting-3", "/waiting-4"]) {
		assert.equal(await viewsOf(path, day), 1, path);
	}
});

test("passwords, people, segments and webhooks are as they were", async () => {
	const payload = { email: "ann@example.com", password };
	const response = await app.inject({ method: "POST", url: "/api/v1/auth/token", payload });
	assert.equal(response.statusCode, 200);
	const { data } = response.json();
	assert.deepEqual([data.user.name, data.user.role], ["Ann Example", "superadmin"]);
	const headers = { authorization: `Bearer ${data.access_token}` };
	const segments = await ask("/segments?account_id=shop", headers);
	assert.ok(segments.data.some(({ name }: Json) => name === "spanish"));
	const hooks = await ask("/webhooks?account_id=shop", headers);
	const [hook, ...others] = hooks.endpoints;
	assert.deepEqual([hook?.name, hook?.secret_last_4, others], ["Ours", "Le0=", []]);
});

test("the site goes on counting", async () => {
	const script = (await app.inject({ url: "/t.js?id=shop" })).body;
	const token = /M[A-Za-z0-9_-]{57}/.exec(script)?.[0] ?? assert.fail(script);
	assert.equal(await sendHit(app, { site: "shop", url: "https://shop.example/after", token }), 204);
	await app.collector?.flush();
	assert.equal(await viewsOf("/after", "period=today"), 1);
});
