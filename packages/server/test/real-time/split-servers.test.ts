// Real time, as a Redis that does not answer within milliseconds counts as away, and the kernel chooses who takes a connection.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { listen } from "../../src/listen.ts";
import { createSite, type Session, signIn } from "../support/accounts.ts";
import { freePort } from "../support/free-port.ts";
import { sendHit } from "../support/hits.ts";
import { dataOf } from "../support/request-of.ts";
import { type TestApp, testApp } from "../support/test-app.ts";
import { migratedSchema, postgresSkip } from "../support/test-schema.ts";

const redisUrl = process.env.TEST_REDIS_URL;
const skip = postgresSkip || (redisUrl === undefined && "set TEST_REDIS_URL to the address of a Redis server");
/** Of these tests alone: runs of before have left their visits in Redis. */
const userAgent = `Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0 ${randomBytes(8).toString("hex")}`;

/** Two services on servers that they share, each with a directory of its own. */
async function openTwo() {
	const schema = await migratedSchema();
	const env = {
		DATABASE_URL: schema.url,
		REDIS_URL: redisUrl ?? "",
		SECRET_KEY: randomBytes(32).toString("hex"),
		RATE_LIMIT_ENABLED: "true",
		// Each has an event store of its own.
		ALLOW_DIFFERENT_SETTINGS: "true",
	};
	const [one, two] = [await testApp({ env }), await testApp({ env })];
	const owner = await signIn(one);
	return {
		one,
		two,
		owner,
		/** A site that both know. */
		site: async (name: string) => {
			const id = await createSite(one, owner, { name });
			await two.catchUp();
			return id;
		},
		close: async () => {
			await Promise.all([one.close(), two.close()]);
			await schema.drop();
		},
	};
}

/** Stored rows of a visit. */
async function stored(app: TestApp): Promise<readonly (number | undefined)[]> {
	await app.collector?.flush();
	const [row] = await app.eventStore.query<Record<string, number>>({
		sql: "SELECT sum(entrance) AS entrances, sum(engaged) AS engaged, sum(page_view) AS views FROM events",
	});
	return [row?.entrances, row?.engaged, row?.views];
}

test("both listen on one port: the kernel gives each connection to either, and a visit of all of them is counted once", {
	skip,
}, async () => {
	const both = await openTwo();
	try {
		const id = await both.site("One port");
		const port = await freePort();
		for (const app of [both.one, both.two]) await listen(app, { ...app.config, port, reusePort: true });
		const { config, clock } = both.one;
		const address = async () => `http://127.0.0.1:${port}`;
		const send = (path: string) => {
			const url = `https://shop.example${path}`;
			return sendHit({ address, config, clock }, { site: id, url, userAgent, headers: { connection: "close" } });
		};
		for (let sent = 0; sent < 20; sent++) assert.equal(await send(`/${sent}`), 204);
		const [one, two] = await Promise.all([both.one, both.two].map(stored));
		const [entrances, engaged, views] = [0, 1, 2].map((index) => (one?.[index] ?? 0) + (two?.[index] ?? 0));
		assert.deepEqual([entrances, engaged, views], [1, 1, 20]);
		assert.ok((one?.[2] ?? 0) > 0 && (two?.[2] ?? 0) > 0, "each of them took some");
	} finally {
		await both.close();
	}
});

describe("two services with directories of their own on one PostgreSQL and one Redis", { skip }, () => {
	let [one, two]: [TestApp, TestApp] = [] as never;
	let owner: Session;
	let site: Awaited<ReturnType<typeof openTwo>>["site"];
	let close: (() => Promise<void>) | undefined;
	before(async () => {
		({ one, two, owner, site, close } = await openTwo());
	});
	after(() => close?.());

	test("hits that one refuses are told by the other, too", async () => {
		const id = await site("Refused");
		assert.equal(await sendHit(one, { site: id, url: "https://elsewhere.example/" }), 204);
		assert.equal(await sendHit(two, { site: id, url: "https://elsewhere.example/" }), 204);
		const rejected = async (app: TestApp) => {
			const answer = await app.inject({ url: `/api/v1/sites/${id}/pixel/rejections`, headers: owner.headers });
			return answer.json().data.rejected;
		};
		for (const app of [one, two, one]) await app.catchUp();
		assert.deepEqual(await Promise.all([one, two].map(rejected)), [2, 2]);
	});

	test("a plan that one changes holds in the other: the limit of requests, and the quota that stops collecting", async () => {
		const id = await site("Plans");
		const operator = await signIn(one, { email: "root@example.com", role: "superadmin" });
		const read = async (app: TestApp, url: string) => app.inject({ url: `/api/v1${url}`, headers: owner.headers });
		const limit = async () => (await read(two, "/sites")).headers["x-ratelimit-limit"];
		const usual = await limit();
		assert.notEqual(usual, "240");
		await two.eventStore.command(`INSERT INTO events (site, date, ts, kind, page_view)
			SELECT '${id}', '2026-11-01', '2026-11-01 00:00:00', 'pageview', 1000000`);
		const [{ slug }] = (await read(one, "/organizations")).json().data.organizations;
		const put = (plan: string) =>
			dataOf(one, `PATCH /admin/organizations/${slug}/plan`, { ...operator, body: { plan_tier: plan } });
		await put("free");
		await two.catchUp();
		assert.equal(await limit(), "240");
		const send = (path: string) => sendHit(two, { site: id, url: `https://shop.example${path}`, userAgent });
		assert.ok((await read(two, "/billing/usage/current")).json().human_events >= 1_000_000);
		const outcomes = () => [two.collector?.outcomes.quota_exceeded ?? 0, two.collector?.outcomes.kept ?? 0];
		const [refused = 0, kept = 0] = outcomes();
		await send("/over");
		assert.deepEqual(outcomes(), [refused + 1, kept]);
		await put("enterprise");
		await two.catchUp();
		assert.equal(await limit(), usual);
		await send("/again");
		assert.deepEqual(outcomes(), [refused + 1, kept + 1]);
	});
});
