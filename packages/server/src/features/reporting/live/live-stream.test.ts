import assert from "node:assert/strict";
import { once } from "node:events";
import { after, afterEach, before, test } from "node:test";
import { sql } from "kysely";
import { createSite, type Session, signIn, signInAgain } from "../../../../test/support/accounts.ts";
import { sendHits } from "../../../../test/support/hits.ts";
import { type LiveReader, readLive } from "../../../../test/support/live-reader.ts";
import { type TestApp, testApp } from "../../../../test/support/test-app.ts";
import { currentAsker } from "../../../platform/lib/asker.ts";

type Headers = Readonly<Record<string, string>>;

const iPhone =
	"Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1";

let app: TestApp;
let owner: Session;
let viewer: Session;
let open: LiveReader[] = [];

before(async () => {
	app = await testApp();
	owner = await signIn(app);
	viewer = await signIn(app, { email: "vic@example.com", name: "Vic" });
	await createSite(app, owner);
});
afterEach(async () => {
	for (const reader of open) reader.leave();
	await Promise.all(open.map(({ ended }) => ended));
	open = [];
	owner = await signInAgain(app, owner);
	viewer = await signInAgain(app, viewer);
});
after(() => app.close());

async function watch(query = "", headers: Headers = owner.headers): Promise<LiveReader> {
	const url = `${await app.address()}/api/v1/stats/live/stream?site_id=shop${query}`;
	const reader = await readLive(url, headers);
	open.push(reader);
	return reader;
}

const call = (method: "POST" | "PUT" | "DELETE", path: string, headers: Headers, payload?: object) =>
	app.inject({ method, url: `/api/v1${path}`, headers: { ...headers }, ...(payload && { payload }) });

/** Changes the roles of the viewer past the API. */
const asViewer = (statement: string) =>
	sql.raw(statement.replace("$user", String(viewer.userId))).execute(app.metadata);

const view = (path: string, ip = "203.0.113.7") => ({ site: "shop", url: `https://shop.example${path}`, ip });

test("a stream tells how many visits there are and the hits that come after it was opened, and whose they are it does not", async () => {
	const stream = await watch("", { ...owner.headers, "accept-encoding": "gzip, br" });
	assert.equal(stream.status, 200);
	assert.equal(stream.headers.get("content-type"), "text/event-stream; charset=utf-8");
	assert.equal(stream.headers.get("cache-control"), "no-store, no-transform");
	assert.equal(stream.headers.get("x-accel-buffering"), "no");
	assert.equal(stream.headers.get("content-encoding"), null);
	assert.deepEqual(await stream.next("now"), { active_visits: 0 });
	assert.ok(stream.text().startsWith("retry: 3000\n\n"), stream.text());
	await sendHits(app, [
		{ ...view("/?utm_source=mail"), userAgent: iPhone, headers: { "sec-ch-ua": "", "sec-ch-ua-platform": "" } },
	]);
	const labels = { country: "ES", device: "mobile", source: "mail" };
	assert.deepEqual(await stream.next("hits"), [
		{ at: "2026-11-21T12:00:00.000Z", kind: "pageview", path: "/", ...labels },
	]);
	assert.deepEqual(await stream.next("now"), { active_visits: 1 });
	app.clock.advance(1000);
	await sendHits(app, [
		{
			...view("/done"),
			userAgent: iPhone,
			headers: { "sec-ch-ua": "", "sec-ch-ua-platform": "" },
			event: "purchase",
			amount: 12.5,
		},
	]);
	assert.deepEqual(await stream.next("hits"), [
		{
			at: "2026-11-21T12:00:01.000Z",
			kind: "conversion",
			path: "/done",
			...labels,
			event_type: "purchase",
			amount: 12.5,
		},
	]);
	const [{ session } = { session: "" }] = await app.eventStore.query<{ session: string }>({
		sql: "SELECT DISTINCT toString(session) AS session FROM events WHERE site = 'shop'",
	});
	assert.match(session, /^\d{10,}$/);
	assert.ok(!stream.text().includes(session), stream.text());
});

test("a stream with a filter is told of the hits that it lets through, and a cookie opens one", async () => {
	const token = owner.headers.authorization.replace("Bearer ", "");
	const stream = await watch("&filters=path:eq:/wanted", { cookie: `svc_access_token=${token}` });
	assert.deepEqual(await stream.next("now"), { active_visits: 0 });
	await sendHits(app, [view("/other", "203.0.113.20"), view("/wanted", "203.0.113.21")]);
	const hits = (await stream.next("hits")) as { readonly path: string }[];
	assert.deepEqual(
		hits.map(({ path }) => path),
		["/wanted"],
	);
});

test("what is wrong with a question is said before a stream begins", async () => {
	assert.equal((await watch("&country=Spain")).status, 422);
	assert.equal((await watch("&segment=none")).status, 404);
	assert.equal((await watch("", viewer.headers)).status, 403);
	assert.equal((await watch("", {})).status, 401);
	const head = await app.inject({ method: "HEAD", url: "/api/v1/stats/live/stream?site_id=shop" });
	assert.equal(head.statusCode, 405);
});

test("a sixth stream of a user is refused until one of theirs has ended", async () => {
	const key = await call("POST", "/api-tokens", owner.headers, { name: "screen" });
	assert.equal(key.statusCode, 201, key.body);
	const byKey = { "x-api-key": key.json().data.token };
	for (const headers of [owner.headers, owner.headers, owner.headers, byKey, byKey]) {
		assert.equal((await watch("", headers)).status, 200);
	}
	const refused = await watch();
	assert.equal(refused.status, 429);
	assert.equal(refused.headers.get("retry-after"), "10");
	await refused.ended;
	assert.equal(JSON.parse(refused.text()).error.code, "rate_limit_exceeded");
	assert.equal((await call("DELETE", `/api-tokens/${key.json().data.id}`, owner.headers, {})).statusCode, 200);
	app.clock.advance(60_000);
	await Promise.all(open.slice(3, 5).map(({ ended }) => ended));
	assert.equal((await watch()).status, 200);
});

test("a line says every fifteen seconds that the stream is alive", async () => {
	const stream = await watch();
	app.clock.advance(15_000);
	assert.equal(await stream.next("comment"), "keep-alive");
	assert.ok(stream.text().includes("\n\n: keep-alive\n\n"), stream.text());
	app.clock.advance(15_000);
	assert.equal(await stream.next("comment"), "keep-alive");
});

/** Causes that end a stream within a minute, with the reason that it gives. */
const endings: readonly (readonly [what: string, reason: string, open: () => Promise<Headers>, end: () => unknown])[] =
	[
		[
			"of a session ends when it signs out",
			"token",
			async () => owner.headers,
			() => call("POST", "/auth/logout", owner.headers, {}),
		],
		[
			"of a key ends when the key is revoked",
			"token",
			async () => {
				const { data } = (await call("POST", "/api-tokens", owner.headers, { name: "ends" })).json();
				keyId = data.id;
				return { "x-api-key": data.token };
			},
			async () => assert.equal((await call("DELETE", `/api-tokens/${keyId}`, owner.headers, {})).statusCode, 200),
		],
		[
			"ends when its reader may no longer read the site",
			"access",
			async () => {
				await asViewer(
					"insert into site_members (site_id, user_id, role, created_at) values ('shop', $user, 'viewer', 0)",
				);
				return viewer.headers;
			},
			() => asViewer("delete from site_members where user_id = $user"),
		],
	];
let keyId = 0;

for (const [what, reason, opening, end] of endings) {
	test(`a stream ${what}, found out within a minute`, async () => {
		const stream = await watch("", await opening());
		assert.equal(stream.status, 200, stream.text());
		await end();
		app.clock.advance(60_000);
		assert.deepEqual(await stream.next("end"), { reason });
		await stream.ended;
	});
}

test("a stream ends with the token that opened it, before the minute is over", async () => {
	app.clock.advance(870_000);
	const stream = await watch("", owner.headers);
	app.clock.advance(30_000);
	assert.deepEqual(await stream.next("end"), { reason: "token" });
	await stream.ended;
	assert.ok(stream.text().endsWith('event: end\ndata: {"reason":"token"}\n\n'), stream.text());
});

test("a stream whose credential still holds goes on after the check", async () => {
	const stream = await watch();
	app.clock.advance(60_000);
	await stream.next("comment");
	app.clock.advance(60_000);
	await stream.next("comment");
	assert.ok(!stream.text().includes("event: end"), stream.text());
});

test("streams end at a shutdown without waiting for the next figures, and say so", async () => {
	const other = await testApp();
	const session = await signIn(other);
	await createSite(other, session);
	const url = `${await other.address()}/api/v1/stats/live/stream?site_id=shop`;
	const streams = await Promise.all([1, 2].map(() => readLive(url, session.headers)));
	const closing = other.close();
	for (const stream of streams) assert.deepEqual(await stream.next("end"), { reason: "shutdown" });
	await Promise.all(streams.map(({ ended }) => ended));
	await closing;
});

test("a stream that the shutdown finds at its first figures is refused with a moment to come back, which is no fault", async () => {
	const asked = Promise.withResolvers<void>();
	let isHeld = false;
	const other = await testApp({
		wrapEventStore: (store) => ({
			...store,
			query: async (query) => {
				const ends = currentAsker()?.signal;
				if (isHeld && ends) {
					asked.resolve();
					await once(ends, "abort");
				}
				return store.query(query);
			},
		}),
	});
	const session = await signIn(other);
	await createSite(other, session);
	isHeld = true;
	const { headers } = session;
	const opening = other.inject({ url: "/api/v1/stats/live/stream?site_id=shop", headers });
	await asked.promise;
	const ending = other.close();
	const answer = await opening;
	assert.deepEqual([answer.statusCode, answer.json().error.code], [503, "service_unavailable"]);
	await ending;
	assert.deepEqual(
		other.logLines.filter((line) => line.includes("Request failed")),
		[],
	);
});
