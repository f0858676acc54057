// Real processes, as the promises are about several on one directory, their locks, and one that is killed.
import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { runService } from "../support/service-process.ts";
import { type SplitProcesses, type Started, splitProcesses } from "../support/split-processes.ts";
import { until } from "../support/until.ts";

const DAY = 86_400_000;
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
/** Days around today, as the day may end while a test runs. */
const days = () => ({ from: dayOf(Date.now() - DAY), to: dayOf(Date.now() + DAY) });

async function makeSite(api: Started, token: string, name: string): Promise<string> {
	const body = { name, domains: ["shop.example"], timezone: "UTC" };
	const { status, body: answer } = await api.call("POST /sites", { token, body });
	assert.equal(status, 201, JSON.stringify(answer));
	return answer.data.id;
}

async function figures(api: Started, token: string, site: string): Promise<readonly number[]> {
	const { from, to } = days();
	const path = `/stats/overview?site_id=${site}&start_date=${from}&end_date=${to}`;
	const { traffic } = (await api.call(`GET ${path}`, { token })).body.data;
	return [traffic.entrances, traffic.page_views];
}

const page = (site: string, path: string, ip = "203.0.113.7") => ({ site, url: `https://shop.example${path}`, ip });

let service: SplitProcesses;
let [collector, api]: [Started, Started] = [] as never;
let token: string;
let site: string;
before(async () => {
	service = splitProcesses();
	// The first one runs the store.
	api = await service.start("api");
	collector = await service.start("collect");
	token = await service.signIn(api);
	site = await makeSite(api, token, "Shop");
	await until(async () => (await collector.call(`GET //t.js?id=${site}`)).status === 200);
});
after(() => service.close());

const reported = (from: Started, expected: readonly number[]) =>
	until(async () => isDeepStrictEqual(await figures(from, token, site), expected));

test("hits that the collector takes are in the reports of the API, also in one that was asked before", async () => {
	assert.deepEqual(await figures(api, token, site), [0, 0]);
	assert.equal(await collector.hit(page(site, "/one")), 204);
	assert.equal(await collector.hit(page(site, "/two")), 204);
	await reported(api, [1, 2]);
	assert.equal(await collector.hit(page(site, "/", "203.0.113.8")), 204);
	await reported(api, [2, 3]);
});

test("the collector knows a domain that the API adds, and the API tells hits that the collector refuses", async () => {
	for (const ip of ["203.0.113.20", "203.0.113.21"]) {
		assert.equal(await collector.hit({ site, url: "https://elsewhere.example/", ip }), 204);
	}
	const rejections = async () => (await api.call(`GET /sites/${site}/pixel/rejections`, { token })).body.data;
	await until(async () => (await rejections()).rejected === 2);
	assert.deepEqual((await rejections()).reasons, [
		{ reason: "invalid_domain", count: 2, origins: [{ origin: "https://elsewhere.example", count: 2 }] },
	]);
	await until(async () => (await api.call(`GET /sites/${site}/pixel/status`, { token })).body.data.script_requests > 0);
	const other = await makeSite(api, token, "Other");
	const added = await api.call(`POST /sites/${other}/domains`, { token, body: { domain: "new.example" } });
	assert.equal(added.status, 201);
	await until(async () => {
		await collector.hit({ site: other, url: "https://new.example/" });
		return (await figures(api, token, other))[0] === 1;
	});
});

test("a role of a directory is one process's, and whoever has all roles shares it with nobody", async () => {
	assert.match(api.output().stderr, /No process with DATA_DIR \S+ has the role collect yet/);
	for (const [roles, who, what] of [
		["collect", " with the role collect", ", or other ROLES"],
		["collect,api,jobs", "", ""],
	] as const) {
		const second = runService(["start"], { DATA_DIR: service.dataDir, ROLES: roles });
		assert.equal(await second.ended, 1);
		assert.equal(
			second.output().stderr.replace(service.dataDir, "D").trim(),
			`DATA_DIR D is in use by another process of Footfall${who}: give each process a DATA_DIR of its own${what}`,
		);
	}
});

test("mails and exports wait for a worker, which makes what the API was asked for", async () => {
	const outbox = join(service.dataDir, "outbox");
	const forgot = await api.call("POST /auth/forgot-password", { body: { email: "user@example.com" } });
	assert.equal(forgot.status, 200);
	assert.equal(await collector.hit({ ...page(site, "/paid", "203.0.113.8"), event: "purchase", amount: 12.5 }), 204);
	const { from, to } = days();
	const body = { export_type: "conversions", date_from: from, date_to: to };
	const ask = async () => (await api.call(`POST /exports?account_id=${site}`, { token, body })).body.job;
	assert.equal(existsSync(outbox), false);
	const worker = await service.start("jobs");
	await until(() => existsSync(outbox) && readdirSync(outbox).some((name) => name.endsWith(".eml")));
	const { job_id } = await ask();
	const job = async () => (await api.call(`GET /exports/${job_id}?account_id=${site}`, { token })).body;
	await until(async () => (await job()).status === "completed");
	const { pathname, search } = new URL((await job()).download_url);
	assert.match(String((await api.call(`GET /${pathname}${search}`, { token })).body), /purchase.*12\.5/);
	worker.child.kill("SIGTERM");
	assert.equal(await worker.ended, 0, worker.output().stderr);
});

test("when the process that runs the event store ends, another one takes it over, and every acknowledged hit is stored", async () => {
	api.child.kill("SIGTERM");
	assert.equal(await api.ended, 0, api.output().stderr);
	for (let hit = 0; hit < 20; hit++) assert.equal(await collector.hit(page(site, `/later/${hit}`)), 204);
	await collector.wrote(/this one runs it now/);
	await reported(await service.start("api"), [2, 23]);
});
