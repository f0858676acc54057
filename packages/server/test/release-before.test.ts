// A data directory that release 0.1.0 wrote, as a kill left it: two hits were acknowledged and not yet in the store.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import packageInfo from "../package.json" with { type: "json" };
import { runService, type ServiceProcess } from "./support/service-process.ts";
import { until } from "./support/until.ts";

const fixture = join(import.meta.dirname, "fixtures/release-0.1.0");
/** What stands in the directory only as a digest. */
const key = "svc_Dm8DxEApEq6suoPBuBbMYUcCA2MZIHLZN7DCb6htoZXbGQf8s9W2aKlgA8bW";
const password = "correct horse battery staple 7";

const folder = mkdtempSync(join(tmpdir(), "footfall-release-before-"));
let service: ServiceProcess;
let address: string;

before(async () => {
	const unpacked = spawnSync("tar", ["-xzf", join(fixture, "data.tar.gz"), "-C", folder], { encoding: "utf8" });
	assert.equal(unpacked.status, 0, unpacked.stderr);
	service = runService(["start"], { DATA_DIR: folder, RUNTIME_DIRECTORY: folder, RATE_LIMIT_ENABLED: "false" });
	address = await service.listening;
});
after(async () => {
	service.child.kill("SIGTERM");
	await service.ended;
	rmSync(folder, { recursive: true, force: true });
});

async function ask(path: string, headers: Record<string, string> = { "x-api-key": key }): Promise<unknown> {
	const response = await fetch(`${address}/api/v1${path}`, { headers });
	assert.equal(response.status, 200, `${path}: ${await response.clone().text()}`);
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
	const { data } = (await ask(`/stats/pages?site_id=shop&${days}&page_size=100`)) as {
		data: { path: string; page_views: number }[];
	};
	return data.find((row) => row.path === path)?.page_views ?? 0;
}

test("this is another release than the one that wrote the directory", async () => {
	assert.notEqual(packageInfo.version, "0.1.0");
	assertHolds(await (await fetch(`${address}/health`)).json(), { version: packageInfo.version }, "health");
});

test("a key that the release before gave out opens the same reports", async () => {
	const answers: Record<string, unknown> = JSON.parse(readFileSync(join(fixture, "answers.json"), "utf8"));
	for (const [path, answer] of Object.entries(answers)) {
		const { timestamp, ...found } = (await ask(path)) as { timestamp?: string };
		assertHolds(found, answer, path);
	}
});

test("hits that the release before had acknowledged when it was killed are counted once", async () => {
	const day = "start_date=2026-11-23&end_date=2026-11-23";
	for (const path of ["/stored", "/waiting-1", "/waiting-2", "/waiting-3", "/waiting-4"]) {
		await until(async () => (await viewsOf(path, day)) > 0);
		assert.equal(await viewsOf(path, day), 1, path);
	}
});

test("passwords, people, segments and webhooks are as they were", async () => {
	const response = await fetch(`${address}/api/v1/auth/token`, {
		method: "POST",
		headers: { "content-type": "application/json" },
		body: JSON.stringify({ email: "ann@example.com", password }),
	});
	assert.equal(response.status, 200);
	const { data } = (await response.json()) as { data: { access_token: string; user: { name: string; role: string } } };
	assert.deepEqual([data.user.name, data.user.role], ["Ann Example", "superadmin"]);
	const headers = { authorization: `Bearer ${data.access_token}` };
	const segments = (await ask("/segments?account_id=shop", headers)) as { data: { name: string }[] };
	assert.ok(segments.data.some(({ name }) => name === "spanish"));
	const hooks = (await ask("/webhooks?account_id=shop", headers)) as {
		endpoints: { name: string; secret_last_4: string }[];
	};
	assert.deepEqual(
		hooks.endpoints.map(({ name, secret_last_4 }) => [name, secret_last_4]),
		[["Ours", "Le0="]],
	);
});

test("the site goes on counting", async () => {
	const script = await (await fetch(`${address}/t.js?id=shop`)).text();
	const token = /M[A-Za-z0-9_-]{57}/.exec(script)?.[0];
	const hit = { a: "shop", t: token, u: "https://shop.example/after", r: "", z: "Europe/Madrid" };
	const headers = {
		"content-type": "text/plain",
		"user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
		"accept-language": "en",
	};
	const response = await fetch(`${address}/event`, { method: "POST", headers, body: JSON.stringify(hit) });
	assert.equal(response.status, 204);
	await until(async () => (await viewsOf("/after", "period=today")) === 1);
});
