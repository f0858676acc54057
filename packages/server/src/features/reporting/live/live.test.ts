import assert from "node:assert/strict";
import { once } from "node:events";
import { after, afterEach, test } from "node:test";
import { sql } from "kysely";
import { createSite, signIn, signInAgain } from "../../../../test/support/accounts.ts";
import { pageviewRow } from "../../../../test/support/event-rows.ts";
import { sendHits } from "../../../../test/support/hits.ts";
import { type LiveReader, readLive } from "../../../../test/support/live-reader.ts";
import { insertRows } from "../../../../test/support/oracle-app.ts";
import { testApp } from "../../../../test/support/test-app.ts";
import type { EventRow } from "../../../analytics/model/event-row.ts";
import { currentAsker } from "../../../platform/lib/asker.ts";

const NOW = "2026-11-21T12:00:30.000Z";
const SECRET_VISIT = "7234567890123456789";

type Headers = Readonly<Record<string, string>>;

/** Questions that reached the engine. */
let asked = 0;
let open: LiveReader[] = [];

const google = { utm_source: "google", country: "ES", device: "mobile" } as const;
const letter = { utm_source: "letter", country: "PT", device: "desktop" } as const;
const event = { page_view: 0, event_type: "purchase" } as const;

/** A hit of the site with figures so many seconds ago. */
const hit = (seconds: number, session: string, own: Partial<EventRow> = {}) =>
	pageviewRow({ site: "figures", ts: Date.parse(NOW) - seconds * 1000, session, ...own });

const app = await testApp({
	now: NOW,
	wrapEventStore: (store) => ({
		...store,
		query: (query) => {
			asked += 1;
			return store.query(query);
		},
	}),
});
let owner = await signIn(app);
let viewer = await signIn(app, { email: "vic@example.com", name: "Vic" });
await createSite(app, owner);
// Far behind UTC: its day is another one than that of the tests' clock for most of it.
await createSite(app, owner, { name: "Figures", timezone: "Pacific/Honolulu" });
await insertRows(app.eventStore, [
	hit(0, SECRET_VISIT, { ...google, path: "/cart" }),
	hit(20, SECRET_VISIT, { ...google, path: "/", entrance: 1 }),
	hit(20, SECRET_VISIT, { ...google, path: "/", kind: "engaged", page_view: 0, engaged: 1 }),
	hit(299, "2", { ...letter, path: "/", entrance: 1 }),
	hit(10, "3", { ...letter, ...event, kind: "conversion", path: "/done", amount: 5, conversion: 1, revenue: 5 }),
	hit(10, "3", { ...letter, ...event, kind: "item", path: "/done", utm_source: "items" }),
	hit(300, "4", { ...google, path: "/old", entrance: 1 }),
	hit(29 * 60 + 30, "5", { ...google, path: "/older", entrance: 1 }),
	hit(29 * 60 + 31, "6", { ...google, path: "/oldest", entrance: 1 }),
	hit(5, "0", { ...google, path: "/imported", import_id: "i1" }),
	hit(5, "7", { ...google, path: "/imported-visit", import_id: "i1" }),
	hit(-60, "8", { ...google, path: "/tomorrow" }),
	hit(0, "9", { site: "other", path: "/elsewhere" }),
]);
afterEach(async () => {
	for (const reader of open) reader.leave();
	await Promise.all(open.map(({ ended }) => ended));
	open = [];
	app.clock.set(NOW);
	owner = await signInAgain(app, owner);
	viewer = await signInAgain(app, viewer);
});
after(() => app.close());

async function live(query = "") {
	const { headers } = owner;
	const response = await app.inject({ url: `/api/v1/stats/live?site_id=figures${query}`, headers });
	return { status: response.statusCode, text: response.body, body: response.json() };
}

test("the visits of the last five minutes by page, source, country and device, and thirty minutes one by one", async () => {
	const { body, text } = await live("&imports=exclude");
	const { now, minutes, ...lists } = body.data;
	assert.deepEqual(now, { active_visits: 3, window_minutes: 5 });
	const rows = (list: object[]) => list.map((row) => Object.values(row).join(" "));
	const found = Object.entries<object[]>(lists).map(([name, list]) => [name, ...rows(list)]);
	assert.deepEqual(found, [
		["pages", "/ 2", "/cart 1", "/done 1"],
		["sources", "letter 2", "google 1"],
		["countries", "PT 2", "ES 1"],
		["devices", "desktop 2", "mobile 1"],
	]);
	assert.deepEqual([minutes.length, minutes[29].at], [30, "2026-11-21T12:00:00.000Z"]);
	const busy = minutes.filter(({ page_views }: { page_views: number }) => page_views > 0);
	assert.deepEqual(busy, [
		{ at: "2026-11-21T11:31:00.000Z", page_views: 1, entrances: 1 },
		{ at: "2026-11-21T11:55:00.000Z", page_views: 2, entrances: 2 },
		{ at: "2026-11-21T12:00:00.000Z", page_views: 2, entrances: 1 },
	]);
	assert.doesNotMatch(text, new RegExp(`${SECRET_VISIT}|session|visit_id`));
});

test("imported visits count unless they are left out; filters and segments choose hits, by the path of the hit", async () => {
	const segment = { conditions: [{ field: "utm_source", value: "letter" }] };
	const saved = { name: "letters", display_name: "Letters", filters: segment };
	await call("POST", "/segments?account_id=figures", owner.headers, saved);
	for (const [query, visits] of [
		["", 4],
		["&imports=exclude&country=PT&country=ES", 3],
		["&device_type=mobile&utm_source=letter", 0],
		["&filters=path:regex:^/(done|cart)$", 2],
		["&segment=letters", 2],
	] as const) {
		assert.equal((await live(query)).body.data.now.active_visits, visits, query);
	}
	const { pages } = (await live("&filters=path:eq:/cart")).body.data;
	assert.deepEqual(pages, [{ path: "/cart", active_visits: 1 }]);
	assert.equal((await live("&segment=none")).status, 404);
});

test("all who ask the same within a second are answered by one question; the next second asks anew, as does one after a failure", async () => {
	app.clock.advance(5000);
	asked = 0;
	const first = await Promise.all(Array.from({ length: 20 }, () => live("&country=ES")));
	assert.deepEqual([new Set(first.map(({ status }) => status)), asked], [new Set([200]), 1]);
	for (const [ms, query, questions] of [
		[999, "&country=ES", 1],
		[0, "&country=PT", 2],
		[1, "&country=ES", 3],
	] as const) {
		app.clock.advance(ms);
		await live(query);
		assert.equal(asked, questions);
	}
	await app.eventStore.command("RENAME TABLE events TO events_away");
	assert.equal((await live("&browser=X")).status, 500);
	await app.eventStore.command("RENAME TABLE events_away TO events");
	assert.equal((await live("&browser=X")).status, 200);
});

async function watch(query = "", headers: Headers = owner.headers): Promise<LiveReader> {
	const reader = await readLive(`${await app.address()}/api/v1/stats/live/stream?site_id=shop${query}`, headers);
	open.push(reader);
	return reader;
}

function call(method: "POST" | "DELETE", path: string, headers: Headers, payload: object = {}) {
	return app.inject({ method, url: `/api/v1${path}`, headers: { ...headers }, payload });
}

/** Makes a key of the owner; answers its headers and what revokes it. */
async function makeKey() {
	const { data } = (await call("POST", "/api-tokens", owner.headers, { name: "screen" })).json();
	return {
		headers: { "x-api-key": data.token },
		revoke: async () => assert.equal((await call("DELETE", `/api-tokens/${data.id}`, owner.headers)).statusCode, 200),
	};
}

const view = (path: string, ip: string) => ({ site: "shop", url: `https://shop.example${path}`, ip });

test("a stream tells how many visits there are and the hits that come after it was opened and pass its filter, and whose they are it does not", async () => {
	const stream = await watch("", { ...owner.headers, "accept-encoding": "gzip, br" });
	const cookie = `svc_access_token=${owner.headers.authorization.replace("Bearer ", "")}`;
	const filtered = await watch("&filters=path:eq:/done", { cookie });
	for (const [name, value] of [
		["content-type", "text/event-stream; charset=utf-8"],
		["cache-control", "no-store, no-transform"],
		["x-accel-buffering", "no"],
		["content-encoding", null],
	] as const) {
		assert.equal(stream.headers.get(name), value, name);
	}
	assert.deepEqual(await stream.next("now"), { active_visits: 0 });
	assert.ok(stream.text().startsWith("retry: 3000\n\n"), stream.text());
	await sendHits(app, [view("/?utm_source=mail", "203.0.113.7")]);
	const labels = { country: "ES", device: "desktop", source: "mail" };
	assert.deepEqual(await stream.next("hits"), [{ at: NOW, kind: "pageview", path: "/", ...labels }]);
	assert.deepEqual(await stream.next("now"), { active_visits: 1 });
	app.clock.advance(1000);
	await sendHits(app, [{ ...view("/done", "203.0.113.7"), event: "purchase", amount: 12.5 }]);
	const sale = { path: "/done", event_type: "purchase", amount: 12.5 };
	const told = [{ at: "2026-11-21T12:00:31.000Z", kind: "conversion", ...labels, ...sale }];
	for (const reader of [stream, filtered]) assert.deepEqual(await reader.next("hits"), told);
	const [{ session } = { session: "" }] = await app.eventStore.query<{ session: string }>({
		sql: "SELECT DISTINCT toString(session) AS session FROM events WHERE site = 'shop'",
	});
	assert.match(session, /^\d{10,}$/);
	assert.ok(!stream.text().includes(session), stream.text());
});

test("an error of a question is answered before a stream begins", async () => {
	assert.equal((await watch("&country=Spain")).status, 422);
	assert.equal((await watch("&segment=none")).status, 404);
	const head = await app.inject({ method: "HEAD", url: "/api/v1/stats/live/stream?site_id=shop" });
	assert.equal(head.statusCode, 405);
});

test("a sixth stream of a user is refused until one of theirs has ended", async () => {
	const key = await makeKey();
	for (const headers of [owner.headers, owner.headers, owner.headers, key.headers, key.headers]) {
		assert.equal((await watch("", headers)).status, 200);
	}
	const refused = await watch();
	assert.deepEqual([refused.status, refused.headers.get("retry-after")], [429, "10"]);
	await refused.ended;
	assert.equal(JSON.parse(refused.text()).error.code, "rate_limit_exceeded");
	await key.revoke();
	app.clock.advance(60_000);
	await Promise.all(open.slice(3, 5).map(({ ended }) => ended));
	assert.equal((await watch()).status, 200);
});

test("a line says every fifteen seconds that the stream is alive, and one whose credential holds goes on after the check", async () => {
	const stream = await watch();
	for (const ms of [15_000, 15_000, 60_000]) {
		app.clock.advance(ms);
		assert.equal(await stream.next("comment"), "keep-alive");
	}
	assert.ok(stream.text().includes("\n\n: keep-alive\n\n"), stream.text());
	assert.ok(!stream.text().includes("event: end"), stream.text());
});

/** Changes the roles of the viewer past the API. */
const asViewer = (statement: string) =>
	sql.raw(statement.replace("$user", String(viewer.userId))).execute(app.metadata);

test("a stream ends within a minute of a sign-out, of its key's revocation and of its reader's last role, and says why", async () => {
	const key = await makeKey();
	await asViewer("insert into site_members (site_id, user_id, role, created_at) values ('shop', $user, 'viewer', 0)");
	for (const [headers, end, reason] of [
		[viewer.headers, () => asViewer("delete from site_members where user_id = $user"), "access"],
		[key.headers, key.revoke, "token"],
		[owner.headers, () => call("POST", "/auth/logout", owner.headers), "token"],
	] as const) {
		const stream = await watch("", headers);
		assert.equal(stream.status, 200, stream.text());
		await end();
		app.clock.advance(60_000);
		assert.deepEqual(await stream.next("end"), { reason });
		await stream.ended;
	}
});

test("a stream ends with the token that opened it, before the minute is over", async () => {
	app.clock.advance(870_000);
	const stream = await watch();
	app.clock.advance(30_000);
	assert.deepEqual(await stream.next("end"), { reason: "token" });
	await stream.ended;
	assert.ok(stream.text().endsWith('event: end\ndata: {"reason":"token"}\n\n'), stream.text());
});

test("streams end at a shutdown without waiting for the next figures, and say so", async () => {
	const other = await testApp();
	const session = await signIn(other);
	await createSite(other, session);
	const url = `${await other.address()}/api/v1/stats/live/stream?site_id=shop`;
	const streams = await Promise.all([1, 2].map(() => readLive(url, session.headers)));
	const closing = other.close();
	for (const stream of streams) assert.deepEqual(await stream.next("end"), { reason: "shutdown" });
	await Promise.all([...streams.map(({ ended }) => ended), closing]);
});

test("a stream that the shutdown finds at its first figures is refused with a moment to come back, which is no fault", async () => {
	const reached = Promise.withResolvers<void>();
	let isHeld = false;
	const other = await testApp({
		wrapEventStore: (store) => ({
			...store,
			query: async (query) => {
				const ends = currentAsker()?.signal;
				if (isHeld && ends) {
					reached.resolve();
					await once(ends, "abort");
				}
				return store.query(query);
			},
		}),
	});
	const session = await signIn(other);
	await createSite(other, session);
	isHeld = true;
	const opening = other.inject({ url: "/api/v1/stats/live/stream?site_id=shop", headers: session.headers });
	await reached.promise;
	const ending = other.close();
	const answer = await opening;
	assert.deepEqual([answer.statusCode, answer.json().error.code], [503, "service_unavailable"]);
	await ending;
	assert.ok(!other.logLines.join("").includes("Request failed"));
});
