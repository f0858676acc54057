import assert from "node:assert/strict";
import { test } from "node:test";
import { pino } from "pino";
import { createVirtualClock } from "../../../../test/support/test-clock.ts";
import { createHttpApp } from "../../../platform/http/create-http-app.ts";
import { systemClock } from "../../../platform/lib/clock.ts";
import { type HealthCheck, type HealthDeps, registerHealth } from "./index.ts";

const works: HealthCheck = { isVital: true, run: async () => undefined };
const minor: HealthCheck = { isVital: false, run: async () => "mail is written to files" };
const fails = (isVital: boolean): HealthCheck => ({
	isVital,
	run: () => Promise.reject(new Error("connect ECONNREFUSED 10.0.0.5 with password hunter2")),
});

async function appWith(deps: Partial<HealthDeps>) {
	const clock = { ...systemClock, monotonic: () => 0, now: () => Date.UTC(2026, 10, 21, 12) };
	const app = await createHttpApp({
		log: pino({ level: "silent" }),
		clock,
		trustProxy: false,
		describeGuard: () => ({ security: [], errors: [] }),
		checkResponses: true,
	});
	const checks = { database: works, mailer: minor };
	registerHealth(app, {
		clock,
		version: "1.2.3",
		environment: "test",
		healthToken: undefined,
		checks,
		readiness: { database: works },
		sharesAddresses: () => false,
		...deps,
	});
	return (url: string, headers: Record<string, string> = {}) => app.inject({ method: "GET", url, headers });
}

test("/livez answers as long as the process runs", async () => {
	const get = await appWith({});
	assert.deepEqual((await get("/livez")).json(), { status: "ok" });
});

test("/readyz answers 503 with Retry-After while a dependency is away", async () => {
	const ready = await (await appWith({}))("/readyz");
	assert.deepEqual([ready.statusCode, ready.json()], [200, { status: "ready", checks: { database: "ok" } }]);
	const away = await (await appWith({ readiness: { database: fails(true) } }))("/readyz");
	assert.deepEqual([away.statusCode, away.json()], [503, { status: "not_ready", checks: { database: "failed" } }]);
	assert.equal(away.headers["retry-after"], "5");
});

test("/readyz runs its checks once for all who ask at a time and for a second after, and anew after a failure", async () => {
	const clock = createVirtualClock("2026-11-21T12:00:00.000Z");
	let [runs, isAway] = [0, false];
	const database: HealthCheck = {
		isVital: true,
		run: async () => {
			runs++;
			if (isAway) throw new Error("away");
			return undefined;
		},
	};
	const get = await appWith({ clock, readiness: { database } });
	const ask = async () => (await Promise.all([1, 2, 3].map(() => get("/readyz")))).map(({ statusCode }) => statusCode);
	assert.deepEqual([await ask(), await ask(), runs], [[200, 200, 200], [200, 200, 200], 1]);
	clock.advance(1_000);
	isAway = true;
	assert.deepEqual([await ask(), runs], [[503, 503, 503], 2]);
	isAway = false;
	assert.deepEqual([await ask(), runs], [[200, 200, 200], 3]);
});

test("/health names the state of each dependency", async () => {
	const get = await appWith({});
	assert.deepEqual((await get("/health")).json(), {
		status: "healthy",
		version: "1.2.3",
		environment: "test",
		checks: {
			database: { status: "healthy", latency_ms: 0 },
			mailer: { status: "healthy", latency_ms: 0, message: "mail is written to files" },
		},
		timestamp: "2026-11-21T12:00:00.000Z",
	});
});

test("a vital failure is unhealthy, another one degraded; causes stay inside", async () => {
	const unhealthy = await (await appWith({ checks: { database: fails(true), mailer: minor } }))("/health");
	assert.equal(unhealthy.json().status, "unhealthy");
	assert.deepEqual(unhealthy.json().checks.database, { status: "unhealthy", latency_ms: 0, message: "not reachable" });
	assert.doesNotMatch(unhealthy.body, /hunter2|10\.0\.0\.5/);
	const degraded = await (await appWith({ checks: { database: works, mailer: fails(false) } }))("/health");
	assert.equal(degraded.json().status, "degraded");
});

test("in production /health needs the token; without a configured one nobody may read it", async () => {
	const get = await appWith({ environment: "production", healthToken: "open sesame" });
	assert.equal((await get("/health")).statusCode, 403);
	assert.equal((await get("/health", { "x-health-token": "wrong" })).statusCode, 403);
	assert.equal((await get("/health", { "x-health-token": "open sesame" })).statusCode, 200);
	const closed = await appWith({ environment: "production", healthToken: undefined });
	assert.equal((await closed("/health", { "x-health-token": "" })).statusCode, 403);
});

test("a health token over 256 characters answers 422", async () => {
	const response = await (await appWith({}))("/health", { "x-health-token": "x".repeat(257) });
	assert.equal(response.statusCode, 422);
	assert.equal(response.json().error.detail[0].field, "header.x-health-token");
});
