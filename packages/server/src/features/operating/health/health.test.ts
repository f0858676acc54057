import assert from "node:assert/strict";
import { test } from "node:test";
import { pino } from "pino";
import { createVirtualClock } from "../../../../test/support/test-clock.ts";
import { createHttpApp } from "../../../platform/http/create-http-app.ts";
import { systemClock } from "../../../platform/lib/clock.ts";
import { type HealthCheck, type HealthDeps, registerHealth } from "./index.ts";

const works: HealthCheck = { isVital: true, run: async () => undefined };
const minor: HealthCheck = {
	isVital: false,
	run: async () => ({ code: "outbox", message: "mail is written to files" }),
};
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

test("/livez answers as long as the process runs, /readyz 503 with Retry-After while a dependency is away", async () => {
	const works = await appWith({});
	assert.deepEqual((await works("/livez")).json(), { status: "ok" });
	assert.deepEqual((await works("/readyz")).json(), { status: "ready", checks: { database: "ok" } });
	const away = await (await appWith({ readiness: { database: fails(true) } }))("/readyz");
	assert.deepEqual(away.json(), { status: "not_ready", checks: { database: "failed" } });
	assert.deepEqual([away.statusCode, away.headers["retry-after"]], [503, "5"]);
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

test("/health names the state of each dependency: a vital failure is unhealthy, another degraded; causes stay inside", async () => {
	const healthOf = async (deps: Partial<HealthDeps>) => (await (await appWith(deps))("/health")).json();
	const healthy = { status: "healthy", latency_ms: 0 };
	assert.deepEqual(await healthOf({}), {
		status: "healthy",
		version: "1.2.3",
		environment: "test",
		checks: { database: healthy, mailer: { ...healthy, code: "outbox", message: "mail is written to files" } },
		timestamp: "2026-11-21T12:00:00.000Z",
	});
	const unhealthy = await healthOf({ checks: { database: fails(true), mailer: minor } });
	assert.equal(unhealthy.status, "unhealthy");
	assert.deepEqual(unhealthy.checks.database, {
		status: "unhealthy",
		latency_ms: 0,
		code: "not_reachable",
		message: "not reachable",
	});
	assert.equal((await healthOf({ checks: { database: works, mailer: fails(false) } })).status, "degraded");
});

test("in production /health needs the token; without a configured one nobody may read it", async () => {
	const ask = async (healthToken: string | undefined, given?: string) => {
		const get = await appWith({ environment: "production", healthToken });
		return (await get("/health", given === undefined ? {} : { "x-health-token": given })).statusCode;
	};
	const refused = [await ask("open sesame"), await ask("open sesame", "wrong"), await ask(undefined, "")];
	assert.deepEqual(refused, [403, 403, 403]);
	assert.deepEqual([await ask("open sesame", "open sesame"), await ask("open sesame", "x".repeat(257))], [200, 422]);
});
