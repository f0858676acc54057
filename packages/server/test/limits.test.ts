import assert from "node:assert/strict";
import { test } from "node:test";
import type { Tables } from "../migrations/metadata/tables/index.ts";
import { createSite, sharedTestApp, signIn } from "./support/accounts.ts";
import { newDirectory } from "./support/new-directory.ts";
import { lendEventStore } from "./support/stores-on-shared-engine.ts";
import { type TestApp, testApp } from "./support/test-app.ts";
import { password as phrase } from "./support/test-users.ts";

const redisUrl = process.env.TEST_REDIS_URL;
const needsRedis = redisUrl === undefined && "set TEST_REDIS_URL to the address of a Redis server";

type Answer = Awaited<ReturnType<TestApp["inject"]>>;

/** Runs a test on a service of its own with limits. */
async function onLimited(options: Parameters<typeof testApp>[0], run: (app: TestApp) => Promise<void>): Promise<void> {
	const app = await testApp({ ...options, env: { RATE_LIMIT_ENABLED: "true", REGISTRATION: "open", ...options?.env } });
	try {
		await run(app);
	} finally {
		await app.close();
	}
}

/** Each test asks it from addresses of its own. */
const app = sharedTestApp({ env: { RATE_LIMIT_ENABLED: "true", REGISTRATION: "open" } });

const limitsOf = ({ headers }: Answer, at = app) => [
	Number(headers["x-ratelimit-limit"]),
	Number(headers["x-ratelimit-remaining"]),
	Number(headers["x-ratelimit-reset"]) - at.clock.now() / 1000,
];

const post = (url: string, payload: object, ip: string, at = app) =>
	at.inject({ method: "POST", url: `/api/v1${url}`, payload, headers: { "x-forwarded-for": ip } });

const forgot = (ip: string, at = app) => post("/auth/forgot-password", { email: "ann@example.com" }, ip, at);

test("mails of an address are limited to three an hour each, whatever they are for", async () => {
	const newUser = { email: "eve@example.com", name: "Eve", password: phrase, accept_terms: true };
	const routes: [string, object][] = [
		["/auth/register", newUser],
		["/auth/forgot-password", { email: "ann@example.com" }],
		["/email/resend-verification", { email: "ann@example.com" }],
	];
	for (const [url, payload] of routes) {
		for (const left of [2, 1, 0]) {
			const answer = await post(url, payload, "203.0.113.7");
			assert.deepEqual([answer.statusCode, ...limitsOf(answer)], [200, 3, left, 3600], url);
		}
		const refused = await post(url, payload, "203.0.113.7");
		assert.deepEqual([refused.statusCode, ...limitsOf(refused)], [429, 3, 0, 3600]);
		assert.equal(refused.headers["retry-after"], "3600");
		const message = "Too many requests. Try again in 3600 seconds.";
		assert.deepEqual(refused.json().error, { code: "rate_limit_exceeded", message });
		assert.equal((await post(url, payload, "203.0.113.8")).statusCode, 200);
	}
	app.clock.advance(3_600_000 - 1);
	assert.equal((await forgot("203.0.113.7")).statusCode, 429);
	app.clock.advance(1);
	assert.deepEqual(limitsOf(await forgot("203.0.113.7")), [3, 2, 3600]);
});

test("a request that fails validation, and a registration refused for its password or the terms, take none of the hour's places", async () => {
	for (let times = 0; times < 5; times++) {
		assert.equal((await post("/auth/forgot-password", { email: "no address" }, "203.0.113.9")).statusCode, 422);
	}
	assert.deepEqual(limitsOf(await forgot("203.0.113.9")), [3, 2, 3600]);
	const payload = { email: "Gregor@example.com", name: "Gregor", password: phrase, accept_terms: true };
	for (const password of ["gregor is my name", "passwordpassword", "aaaaaaaaaaaaaaaa"]) {
		const refused = await post("/auth/register", { ...payload, password }, "203.0.113.10");
		assert.deepEqual([refused.statusCode, refused.json().error.detail[0].field], [422, "body.password"]);
	}
	assert.equal((await post("/auth/register", { ...payload, accept_terms: false }, "203.0.113.10")).statusCode, 400);
	for (const status of [200, 200, 200, 429]) {
		assert.equal((await post("/auth/register", payload, "203.0.113.10")).statusCode, status);
	}
	// Nor does it tell anything once the places are taken.
	const password = "gregor is my name";
	assert.equal((await post("/auth/register", { ...payload, password }, "203.0.113.10")).statusCode, 422);
});

test("a restart opens no new hour, and what is kept for it tells no address", async () => {
	const dataDir = newDirectory();
	const events = await lendEventStore();
	await onLimited({ dataDir, events }, async (app) => {
		for (let times = 0; times < 3; times++) assert.equal((await forgot("203.0.113.7", app)).statusCode, 200);
		const kept = await app.metadata.withTables<Tables>().selectFrom("rate_limits").selectAll().execute();
		assert.deepEqual([kept.length, kept[0]?.count], [1, 3]);
		assert.match(kept[0]?.bucket ?? "", /^forgot-password:[0-9a-f]{64}$/);
	});
	await onLimited({ dataDir, events }, async (app) => {
		assert.equal((await forgot("203.0.113.7", app)).statusCode, 429);
	});
	await events.giveBack();
});

test("health checks, the tracker script and the API reference are outside the limits; a hit is answered without", async () => {
	const site = await createSite(app, await signIn(app));
	app.clock.advance(60_000);
	const get = (url: string) => app.inject({ url, headers: { "x-forwarded-for": "203.0.113.11" } });
	assert.deepEqual(limitsOf(await get("/api/v1/sites")), [60, 59, 60]);
	for (const path of ["/livez", "/readyz", "/health", `/t.js?id=${site}`, "/t.js?id=nowhere", "/t.js"]) {
		for (let times = 0; times < 15; times++) assert.deepEqual(limitsOf(await get(path)), [60, 59, 60], path);
	}
	for (let times = 0; times < 65; times++) assert.equal((await get("/docs/static/swagger-ui.css")).statusCode, 200);
	assert.deepEqual(limitsOf(await get("/livez")), [60, 59, 60]);
	const hit = await fetch(`${await app.address()}/event`, { method: "POST", body: "{}" });
	assert.deepEqual([hit.status, hit.headers.get("x-ratelimit-limit"), await hit.text()], [204, null, ""]);
});

test("RATE_LIMIT_ENABLED=false lifts the limits and leaves the headers out", () =>
	onLimited({ env: { RATE_LIMIT_ENABLED: "false" } }, async (app) => {
		for (let times = 0; times < 70; times++) assert.equal((await app.inject({ url: "/api/v1/sites" })).statusCode, 401);
		for (let times = 0; times < 5; times++) assert.equal((await forgot("203.0.113.7", app)).statusCode, 200);
		const { headers } = await app.inject({ url: "/livez" });
		assert.ok(!Object.keys(headers).join().includes("x-ratelimit"));
	}));

test("processes that share a Redis count together", { skip: needsRedis }, async () => {
	const env = { REDIS_URL: redisUrl ?? "", SECRET_KEY: crypto.randomUUID() };
	await onLimited({ env }, (first) =>
		onLimited({ env }, async (second) => {
			const ip = "2001:db8::1";
			const get = (app: TestApp) => app.inject({ url: "/api/v1/sites", headers: { "x-forwarded-for": ip } });
			assert.deepEqual(limitsOf(await get(first), first), [60, 59, 60]);
			assert.deepEqual(limitsOf(await get(second), second), [60, 58, 60]);
			const live = await second.inject({ url: "/livez", headers: { "x-forwarded-for": ip } });
			assert.deepEqual(limitsOf(live, second), [60, 58, 60]);
			assert.deepEqual(limitsOf(await forgot(ip, first), first), [3, 2, 3600]);
			assert.deepEqual(limitsOf(await forgot(ip, second), second), [3, 1, 3600]);
		}),
	);
});
