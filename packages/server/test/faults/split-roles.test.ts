import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { systemActor } from "../../src/features/auditing/audit-log/index.ts";
import { changePlan } from "../../src/features/tenancy/organization-plan/change-plan.ts";
import { openEventStore } from "../../src/platform/event-store/open-event-store.ts";
import { systemClock } from "../../src/platform/lib/clock.ts";
import { runService } from "../support/service-process.ts";
import { type SplitProcesses, type Started, splitProcesses, untilEqual } from "../support/split-processes.ts";
import { silentLog } from "../support/test-store.ts";
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

describe("a collector, an API and a worker on one directory", () => {
	let service: SplitProcesses;
	let [collector, api, worker]: [Started, Started, Started] = [] as never;
	let token: string;
	before(async () => {
		service = splitProcesses();
		// All at once, as an operator's units start: one of them makes the stores, and the others wait for it.
		[collector, api, worker] = await Promise.all([
			service.start("collect"),
			service.start("api"),
			service.start("jobs"),
		]);
		token = await service.signIn(api);
	});
	after(() => service.close());

	test("a hit that the collector takes is in the reports of the API, also in one that was asked before", async () => {
		const site = await makeSite(api, token, "Hits");
		assert.deepEqual(await figures(api, token, site), [0, 0]);
		await until(async () => (await collector.call(`GET //t.js?id=${site}`)).status === 200);
		assert.equal(await collector.hit(page(site, "/one")), 204);
		assert.equal(await collector.hit(page(site, "/two")), 204);
		await untilEqual(() => figures(api, token, site), [1, 2]);
		assert.equal(await collector.hit(page(site, "/", "203.0.113.8")), 204);
		await untilEqual(() => figures(api, token, site), [2, 3]);
	});

	test("each answers what its roles serve; the rest says why it does not, and a hit elsewhere is not taken for stored", async () => {
		const asked = ["/livez", "/readyz", "/health", "/metrics", "/t.js?id=nobody", "/api/v1/sites", "/docs", "/"];
		const answers = async (from: Started) => {
			const found = await Promise.all(asked.map((path) => from.call(`GET /${path}`)));
			return found.map(({ status }) => status);
		};
		assert.deepEqual(await answers(collector), [200, 200, 200, 200, 404, 404, 404, 404]);
		assert.deepEqual(await answers(api), [200, 200, 200, 200, 404, 401, 200, 200]);
		assert.deepEqual(await answers(worker), [200, 200, 200, 200, 404, 404, 404, 404]);
		const unknownSite = (await collector.call("GET //t.js?id=nobody")).body.error;
		assert.equal(unknownSite.code, "account_not_found");
		const refused = (await collector.call("GET /sites", { token })).body.error;
		assert.deepEqual(refused, {
			code: "not_found",
			message: "This process has only the roles collect (ROLES): another one serves this address",
		});
		for (const other of [api, worker]) {
			const answer = await other.call("POST //event", { body: {} });
			assert.deepEqual([answer.status, answer.headers.get("retry-after")], [503, "5"]);
			assert.equal(answer.headers.get("access-control-allow-origin"), "*");
			assert.deepEqual(answer.body.error, {
				code: "service_unavailable",
				message: "This process does not collect (ROLES): send hits to one that does",
			});
			assert.equal((await other.call("GET //event")).status, 405);
		}
	});

	test("a setting that the API changes reaches the collector", async () => {
		const site = await makeSite(api, token, "Settings");
		const added = await api.call(`POST /sites/${site}/domains`, { token, body: { domain: "new.example" } });
		assert.equal(added.status, 201);
		await until(async () => {
			await collector.hit({ site, url: "https://new.example/" });
			return (await figures(api, token, site))[0] === 1;
		});
	});

	test("what the collector refuses, and who asks it for scripts, the API tells", async () => {
		const site = await makeSite(api, token, "Refused");
		await until(async () => (await collector.call(`GET //t.js?id=${site}`)).status === 200);
		assert.equal(await collector.hit(page(site, "/")), 204);
		for (const ip of ["203.0.113.20", "203.0.113.21"]) {
			assert.equal(await collector.hit({ site, url: "https://elsewhere.example/", ip }), 204);
		}
		await untilEqual(async () => (await api.call(`GET /sites/${site}/pixel/rejections`, { token })).body.data, {
			account_id: site,
			window_minutes: 60,
			available: true,
			accepted: 1,
			rejected: 2,
			reasons: [{ reason: "invalid_domain", count: 2, origins: [{ origin: "https://elsewhere.example", count: 2 }] }],
		});
		await untilEqual(
			async () => (await api.call(`GET /sites/${site}/pixel/status`, { token })).body.data.script_requests,
			1,
		);
	});

	test("an export that the API is asked for is made by the worker, and downloaded from the API", async () => {
		const site = await makeSite(api, token, "Exports");
		await until(async () => (await collector.call(`GET //t.js?id=${site}`)).status === 200);
		assert.equal(await collector.hit(page(site, "/")), 204);
		assert.equal(await collector.hit({ ...page(site, "/paid"), event: "purchase", amount: 12.5 }), 204);
		await untilEqual(async () => (await figures(api, token, site))[0], 1);
		const { from, to } = days();
		const body = { export_type: "conversions", date_from: from, date_to: to };
		const created = await api.call(`POST /exports?account_id=${site}`, { token, body });
		assert.equal(created.status, 201, JSON.stringify(created.body));
		const ask = `GET /exports/${created.body.job.job_id}?account_id=${site}`;
		const job = async () => (await api.call(ask, { token })).body;
		await untilEqual(async () => (await job()).status, "completed");
		const { pathname, search } = new URL((await job()).download_url);
		const file = await api.call(`GET /${pathname}${search}`, { token });
		const [, row = ""] = String(file.body).trim().split("\n");
		assert.match(row, /purchase/);
		assert.match(row, /12\.5/);
	});

	test("a plan that another process changes stops collecting where it is used up, and raises the limit of requests", async () => {
		const site = await makeSite(api, token, "Plans");
		await until(async () => (await collector.call(`GET //t.js?id=${site}`)).status === 200);
		const organization = (await api.call("GET /organizations", { token })).body.data.organizations[0];
		const limit = async () => (await api.call("GET /sites", { token })).headers.get("x-ratelimit-limit");
		const store = await openEventStore({ dataDir: service.dataDir, isShared: true, log: silentLog });
		await store.command(`INSERT INTO events (site, date, ts, kind, page_view)
			SELECT '${site}', '2026-11-01', '2026-11-01 00:00:00', 'pageview', 1000000`);
		await store.close();
		const before = await limit();
		const deps = {
			metadata: await service.metadata(),
			clock: systemClock,
			sites: { refresh: async () => undefined },
		};
		await changePlan(deps, systemActor, { slug: organization.slug, plan: "free" });
		await untilEqual(limit, "240");
		assert.notEqual(before, "240");
		const quota = /footfall_hits_total\{outcome="quota_exceeded"\} ([1-9]\d*)/;
		await until(async () => {
			await collector.hit(page(site, "/over"));
			return quota.test((await collector.call("GET //metrics")).body);
		});
		await changePlan(deps, systemActor, { slug: organization.slug, plan: "enterprise" });
		await untilEqual(limit, before);
	});
});

test("kill -9 of the process that runs the event store: another one takes it over, and every acknowledged hit is stored", async () => {
	const service = splitProcesses();
	try {
		// The first one runs the store.
		const api = await service.start("api");
		const collector = await service.start("collect");
		const token = await service.signIn(api);
		const site = await makeSite(api, token, "Shop");
		await until(async () => (await collector.call(`GET //t.js?id=${site}`)).status === 200);
		for (let hit = 0; hit < 20; hit++) assert.equal(await collector.hit(page(site, `/${hit}`)), 204);
		api.child.kill("SIGKILL");
		await api.ended;
		for (let hit = 0; hit < 20; hit++) assert.equal(await collector.hit(page(site, `/later/${hit}`)), 204);
		await until(() => collector.output().stderr.includes("this one runs it now"));
		const again = await service.start("api");
		await untilEqual(() => figures(again, token, site), [1, 40]);
		// And in order: the collector ends, and the API has the store.
		collector.child.kill("SIGTERM");
		assert.equal(await collector.ended, 0, collector.output().stderr);
		await until(() => again.output().stderr.includes("this one runs it now"));
		await until(async () => (await again.call("GET //readyz")).status === 200);
		assert.deepEqual(await figures(again, token, site), [1, 40]);
	} finally {
		await service.close();
	}
});

test("a role of a directory is one process's, and whoever has all roles shares it with nobody", async () => {
	const service = splitProcesses();
	try {
		const refusal = async (roles: string) => {
			const second = runService(["start"], { DATA_DIR: service.dataDir, ROLES: roles });
			assert.equal(await second.ended, 1);
			return second.output().stderr.replace(service.dataDir, "D").trim();
		};
		const collector = await service.start("collect");
		assert.match(collector.output().stderr, /No process with DATA_DIR \S+ has the role api yet/);
		assert.equal(
			await refusal("collect,api"),
			"DATA_DIR D is in use by another process of Footfall with the role collect: give each process a DATA_DIR of its own, or other ROLES",
		);
		assert.equal(
			await refusal("collect,api,jobs"),
			"DATA_DIR D is in use by another process of Footfall: give each process a DATA_DIR of its own",
		);
		collector.child.kill("SIGKILL");
		await collector.ended;
		const whole = await service.start("collect,api,jobs");
		assert.equal(
			await refusal("jobs"),
			"DATA_DIR D is in use by a process of Footfall that has all roles: give each process a DATA_DIR of its own, or divide the ROLES between them",
		);
		whole.child.kill("SIGTERM");
		assert.equal(await whole.ended, 0);
	} finally {
		await service.close();
	}
});
