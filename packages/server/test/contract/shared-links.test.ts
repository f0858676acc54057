import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { SignJWT } from "jose";
import { shareLists } from "../../src/access/index.ts";
import { signingKey } from "../../src/access/signing-keys.ts";
import { addressOf, unknownIds } from "../support/access-targets.ts";
import { createSite, type Session, signIn } from "../support/accounts.ts";
import { pageviewRow } from "../support/event-rows.ts";
import { operationsOf } from "../support/operations.ts";
import { insertRows } from "../support/oracle-app.ts";
import { type Headers, makeLink, open, readerOf } from "../support/shared-link.ts";
import { type TestApp, testApp } from "../support/test-app.ts";

const EVERYTHING = [...shareLists];
const password = "correct horse battery staple 7";

let app: TestApp;
let ann: Session;
before(async () => {
	app = await testApp({ now: "2026-11-21T12:00:00.000Z" });
	ann = await signIn(app);
	await createSite(app, ann);
	await createSite(app, ann, { name: "Second" });
	const ts = Date.parse("2026-11-20T10:00:00Z");
	const visit = (session: string, more: object) =>
		pageviewRow({ site: "shop", ts, session, path: "/", landing_path: "/", entrance: 1, ...more });
	const sale = { kind: "conversion", event_type: "purchase", page_view: 0, conversion: 1, revenue: 10 } as const;
	await insertRows(app.eventStore, [
		visit("1", { country: "ES", utm_source: "google" }),
		visit("2", { country: "ES", utm_source: "bing" }),
		visit("3", { country: "FR", utm_source: "google" }),
		pageviewRow({ ...sale, site: "shop", ts: ts + 1000, session: "1", country: "ES", utm_source: "google" }),
		pageviewRow({ ...sale, site: "shop", ts: ts + 1000, session: "3", country: "FR", utm_source: "google" }),
		visit("4", { site: "second", country: "DE" }),
	]);
	await app.inject({
		method: "POST",
		url: "/api/v1/segments?account_id=shop",
		headers: ann.headers,
		payload: {
			name: "spain",
			display_name: "Spain",
			filters: { conditions: [{ field: "country", operator: "in", value: ["ES"] }] },
		},
	});
});
after(() => app.close());

const site = "site_id=shop&period=7d";

async function ask(reader: Headers, route: string, payload?: object, remoteAddress = "203.0.113.7") {
	const [method = "", path = ""] = route.split(" ");
	const request = { method: method as "GET", url: `/api/v1${path}`, headers: { ...reader }, remoteAddress };
	const response = await app.inject(payload === undefined ? request : { ...request, payload });
	const body = response.body === "" ? {} : response.json();
	return { status: response.statusCode, body, code: body.error?.code };
}

const visits = async (reader: Headers, query = "") => {
	const { status, body } = await ask(reader, `GET /stats/overview?${site}${query}`);
	return status === 200 ? body.data.traffic.entrances : status;
};

const link = async (input: object = {}) => {
	const made = await makeLink(app, ann, "shop", input);
	const secret = "password" in input ? String(input.password) : undefined;
	return { ...made, reader: await readerOf(app, made, secret) };
};

/** What a shared link opens: everything else on the table of routes is shut, whatever the link shows. */
const opened: Readonly<Record<string, string>> = {
	"GET /stats/overview": "overview",
	"GET /stats/channels": "channels",
	"GET /stats/top-channels": "channels",
	"GET /stats/sources": "sources",
	"GET /stats/sources/top": "sources",
	"GET /stats/mediums": "mediums",
	"GET /stats/campaigns": "campaigns",
	"GET /stats/campaigns/top": "campaigns",
	"GET /stats/terms": "terms",
	"GET /stats/terms/top": "terms",
	"GET /stats/contents": "contents",
	"GET /stats/contents/top": "contents",
	"GET /stats/referrers": "referrers",
	"GET /stats/referrers/top": "referrers",
	"GET /stats/pages": "pages",
	"GET /stats/pages/top": "pages",
	"GET /stats/landing-pages": "landing_pages",
	"GET /stats/landing-pages/top": "landing_pages",
	"GET /stats/exit-pages": "exit_pages",
	"GET /stats/pages/content-groups": "content_groups",
	"GET /stats/landing-pages/by-content-group": "content_groups",
	"GET /stats/geo/countries": "countries",
	"GET /stats/devices/types": "devices",
	"GET /stats/browsers": "browsers",
	"GET /stats/operating-systems": "systems",
	"GET /stats/conversions": "conversions",
	"GET /stats/microconversions": "microconversions",
	"GET /stats/properties/keys": "properties",
	"POST /stats/query": "hours",
	"POST /batch": "overview",
};

const days = { date_from: "2026-11-15", date_to: "2026-11-21" };
const bodies: Readonly<Record<string, object>> = {
	"POST /stats/query": { ...days, dimensions: ["day_of_week", "hour"] },
	"POST /batch": { queries: [{ id: "q", endpoint: "/stats/overview", params: { site_id: "shop" } }] },
};

test("a link opens the routes of its lists, and of all others on the table of routes none", async () => {
	const lists: readonly (readonly string[])[] = [[], EVERYTHING, ...shareLists.map((list) => [list])];
	const readers = await Promise.all(lists.map(async (shown) => ({ shown, ...(await link({ lists: shown })) })));
	const wrong: string[] = [];
	const isPublic = (route: string, security: readonly object[]) => security.length === 0 && opened[route] === undefined;
	const guarded = operationsOf(app).filter(({ route, security }) => !isPublic(route, security));
	assert.ok(guarded.length > 150);
	for (const operation of guarded) {
		const { route, method, hasBody } = operation;
		const list = opened[route];
		const asked = list === undefined ? readers.slice(0, 2) : readers;
		for (const { shown, reader } of asked) {
			const isOpen = list === "overview" || (list !== undefined && shown.includes(list));
			const url = isOpen
				? `/api/v1${route.split(" ")[1]}${route === "POST /batch" ? "" : "?site_id=shop"}`
				: addressOf(operation, { ...unknownIds, id: "shop" }, "shop");
			const payload = bodies[route] ?? {};
			const response = await app.inject({ method, url, headers: { ...reader }, ...(hasBody && { payload }) });
			const { error } = response.body.startsWith("{") ? response.json() : { error: undefined };
			const isRefused =
				[403, 404].includes(response.statusCode) &&
				["forbidden", "insufficient_scope", "not_found"].includes(error?.code);
			if (isOpen ? response.statusCode !== 200 : !isRefused) {
				wrong.push(`${route} with ${shown}: ${response.statusCode} ${error?.code ?? ""}`);
			}
		}
	}
	assert.deepEqual(wrong, []);
	const there = new Set(guarded.map(({ route }) => route));
	assert.deepEqual(
		Object.keys(opened).filter((route) => !there.has(route)),
		[],
		"named, but not there",
	);
});

test("a link opens one site, by whatever name another one is asked for", async () => {
	const { reader } = await link({ lists: EVERYTHING, may_filter: true });
	for (const query of [
		"site_id=second",
		"account_id=second",
		"site_id=nowhere",
		"site_id=shop&account_id=second",
		"site_id=shop&site_id=second",
		"site_id[]=shop&site_id[]=second",
		"",
	]) {
		const { status } = await ask(reader, `GET /stats/overview?${query}`);
		assert.ok(status >= 400, query);
	}
	const second = await ask(reader, "GET /stats/overview?site_id=second");
	const nowhere = await ask(reader, "GET /stats/overview?site_id=nowhere");
	assert.deepEqual([second.status, second.code], [nowhere.status, nowhere.code]);
	const { body } = await ask(reader, "POST /batch", {
		queries: [
			{ id: "own", endpoint: "/stats/overview", params: { site_id: "shop" } },
			{ id: "other", endpoint: "/stats/overview", params: { site_id: "second" } },
			{ id: "live", endpoint: "/stats/properties/values", params: { site_id: "shop", property_key: "a" } },
			{
				id: "why",
				endpoint: "/stats/explain",
				params: { site_id: "shop", ...days, metric: "entrances", compare: "previous" },
			},
			{ id: "steps", endpoint: "/stats/funnel", params: { site_id: "shop", steps: ["/", "purchase"] } },
		],
	});
	const outcome = Object.values<{ status: string; error?: { code: string } }>(body.results);
	assert.deepEqual(
		outcome.map(({ status, error }) => error?.code ?? status),
		["success", "forbidden", "forbidden", "insufficient_scope", "forbidden"],
	);
});

test("the segment of a link holds beside all that its reader asks, and cannot be lifted", async () => {
	const { reader } = await link({ segment_id: "spain", lists: EVERYTHING, may_filter: true });
	assert.equal(await visits(reader), 2);
	const france = (conditions: object) => `&segment_filters=${encodeURIComponent(JSON.stringify(conditions))}`;
	const inFrance = { field: "country", operator: "in", value: ["FR"] };
	for (const query of [
		"&country=FR",
		"&country=FR&country=DE",
		"&filters=country:eq:FR",
		"&filters=country:in:FR|DE",
		france({ conditions: [inFrance] }),
		france({ conditions: [], groups: [{ operator: "or", conditions: [inFrance] }] }),
	]) {
		assert.equal(await visits(reader, query), 0, query);
	}
	for (const query of ["&country=ES", "&filters=country:ne:FR", "&country=ES&country=FR", "&filters=country:regex:."]) {
		assert.equal(await visits(reader, query), 2, query);
	}
	assert.equal(await visits(reader, "&utm_source=google"), 1);
	const { body: countries } = await ask(reader, `GET /stats/geo/countries?${site}&include_totals=true`);
	assert.deepEqual(
		[countries.data.map((row: { country: string }) => row.country), countries.totals.entrances],
		[["ES"], 2],
	);
	for (const segment of ["&segment=spain", "&segment=", "&segment=mobile", "&segment[]=x"]) {
		assert.equal(await visits(reader, segment), 403, segment);
	}
	const query = (filters: object, more = "") =>
		ask(reader, `POST /stats/query?site_id=shop${more}`, {
			...days,
			dimensions: ["hour"],
			metrics: ["entrances"],
			filters,
		});
	const rowsOf = async (filters: object, more = "") => (await query(filters, more)).body.data;
	assert.deepEqual(await rowsOf({}), [{ hour: 10, entrances: 2 }]);
	assert.deepEqual(await rowsOf({ country: "FR" }), []);
	assert.deepEqual(await rowsOf({ country: ["ES", "FR"] }), [{ hour: 10, entrances: 2 }]);
	assert.deepEqual(await rowsOf({}, france({ conditions: [inFrance] })), []);
	assert.equal((await query({}, "&segment=spain")).code, "forbidden");
	const batch = await ask(reader, "POST /batch", {
		queries: [
			{ id: "all", endpoint: "/stats/overview", params: { site_id: "shop", period: "7d" } },
			{ id: "fr", endpoint: "/stats/overview", params: { site_id: "shop", period: "7d", country: ["FR"] } },
			{ id: "lift", endpoint: "/stats/overview", params: { site_id: "shop", period: "7d", segment: "all" } },
		],
	});
	const { all, fr, lift } = batch.body.results;
	assert.deepEqual(
		[all.data.data.traffic.entrances, fr.data.data.traffic.entrances, lift.error.code],
		[2, 0, "forbidden"],
	);
	const compared = await ask(reader, `GET /stats/overview?site_id=shop&period=today&compare=previous`);
	assert.equal(compared.body.data.traffic_change.entrances, 2);
});

test("a link without leave to filter admits none, and one with it only by what it shows", async () => {
	const shut = (await link({ lists: EVERYTHING })).reader;
	const some = (await link({ lists: ["sources"], may_filter: true })).reader;
	const conditions = encodeURIComponent('{"conditions":[{"field":"country","operator":"in","value":["ES"]}]}');
	for (const query of [
		"&country=ES",
		"&country[]=ES",
		"&filters=country:eq:ES",
		`&segment_filters=${conditions}`,
		"&path_filter=/",
		"&landing_page=/",
		"&conversion_type=purchase",
		"&content_grouping=a",
		"&browser=Chrome",
	]) {
		assert.equal(await visits(shut, query), 403, query);
	}
	for (const query of ["&country=ES", "&filters=country:eq:ES", `&segment_filters=${conditions}`, "&browser=Chrome"]) {
		assert.equal(await visits(some, query), 403, query);
	}
	for (const query of ["&utm_source=google", "&filters=utm_source:eq:google"]) {
		assert.equal(await visits(shut, query), 403, query);
		assert.equal(await visits(some, query), 2, query);
	}
	for (const query of ["&imports=exclude", "&explain=true", "&include_utm=true", "&whatever=1"]) {
		assert.equal(await visits(shut, query), 403, query);
	}
	const body = { ...days, dimensions: ["hour"], filters: { utm_source: "google" } };
	assert.equal((await ask(shut, "POST /stats/query?site_id=shop", body)).code, "forbidden");
});

test("no list tells what another one is for", async () => {
	const pages = (await link({ lists: ["pages", "conversions", "hours"], may_filter: true })).reader;
	for (const more of [
		"include_utm=true",
		"include=browser",
		"include=visitors&include=device",
		"include[]=channel_group",
	]) {
		assert.equal((await ask(pages, `GET /stats/pages?${site}&${more}`)).code, "forbidden", more);
	}
	assert.equal((await ask(pages, `GET /stats/pages?${site}&include=visitors`)).status, 200);
	const { body } = await ask(pages, `GET /stats/conversions?${site}`);
	const [{ count, by_source, by_country }] = body.data;
	assert.deepEqual([count, by_source, by_country], [2, [], []]);
	const { reader: all } = await link({ lists: EVERYTHING });
	const [whole] = (await ask(all, `GET /stats/conversions?${site}`)).body.data;
	assert.deepEqual([whole.by_source.length, whole.by_country.length], [1, 2]);
	for (const dimension of ["country", "utm_source", "path", "conversion_type", "browser"]) {
		const query = { ...days, dimensions: ["hour", dimension] };
		assert.equal((await ask(all, "POST /stats/query?site_id=shop", query)).code, "forbidden", dimension);
	}
});

test("every link that shows nothing is the same to whoever opens it", async () => {
	const off = await link();
	await ask(ann.headers, `PATCH /sites/shop/share-links/${off.id}`, { is_active: false });
	const gone = await link();
	await ask(ann.headers, `DELETE /sites/shop/share-links/${gone.id}`);
	const over = await link({ expires_at: "2026-11-21T12:30:00Z" });
	const locked = await makeLink(app, ann, "shop", { password, expires_at: "2026-11-21T12:30:00Z" });
	app.clock.set("2026-11-21T12:30:00.000Z");
	const answers = [];
	for (const token of [off.token, gone.token, over.token, locked.token, "x".repeat(43), "x", "%00", "../sites"]) {
		const { statusCode, body } = await open(app, encodeURIComponent(decodeURIComponent(token)));
		answers.push([statusCode, body === "" ? "" : JSON.parse(body).error]);
	}
	app.clock.set("2026-11-21T12:00:00.000Z");
	const dead = [404, { code: "not_found", message: "There is no such shared link any more" }];
	assert.deepEqual(answers.slice(0, 6), Array(6).fill(dead));
	assert.ok(answers.slice(6).every(([status]) => Number(status) >= 400));
});

test("a bearer ends after an hour, and with every change of its link", async () => {
	const changes: readonly (readonly [string, (id: string) => Promise<unknown>])[] = [
		[
			"another password",
			(id) => ask(ann.headers, `PATCH /sites/shop/share-links/${id}`, { password: "a new password" }),
		],
		["no password", (id) => ask(ann.headers, `PATCH /sites/shop/share-links/${id}`, { password: null })],
		["other lists", (id) => ask(ann.headers, `PATCH /sites/shop/share-links/${id}`, { lists: [] })],
		["off", (id) => ask(ann.headers, `PATCH /sites/shop/share-links/${id}`, { is_active: false })],
		["removed", (id) => ask(ann.headers, `DELETE /sites/shop/share-links/${id}`)],
	];
	for (const [what, change] of changes) {
		const { id, reader } = await link({ password, lists: EVERYTHING });
		assert.equal(await visits(reader), 3);
		await change(id);
		const { status, code } = await ask(reader, `GET /stats/overview?${site}`);
		assert.deepEqual([what, status, code], [what, 401, "token_invalid"]);
		assert.equal((await ask(reader, "POST /batch", bodies["POST /batch"])).status, 401);
	}
	const { id, reader } = await link({ expires_at: "2026-11-21T12:30:00Z" });
	const hour = await link();
	app.clock.set("2026-11-21T12:29:59.000Z");
	assert.equal(await visits(reader), 3);
	app.clock.set("2026-11-21T12:30:00.000Z");
	assert.equal(await visits(reader), 401);
	app.clock.set("2026-11-21T12:59:59.000Z");
	assert.equal(await visits(hour.reader), 3);
	app.clock.set("2026-11-21T13:00:01.000Z");
	const { code } = await ask(hour.reader, `GET /stats/overview?${site}`);
	assert.equal(code, "token_expired");
	app.clock.set("2026-11-21T12:00:00.000Z");
	await ask(ann.headers, `DELETE /sites/shop/share-links/${id}`);
});

test("bearers of other makes open nothing", async () => {
	const { id, reader } = await link({ lists: EVERYTHING });
	const { authorization = "" } = reader;
	const token = authorization.replace("Bearer shr_", "");
	const now = app.clock.now();
	const { id: kid, key } = signingKey(app.config.secretKey, now);
	const signed = (claims: object, audience: string, by: Uint8Array = key) =>
		new SignJWT({ generation: 1, sid: "x", ...claims })
			.setProtectedHeader({ alg: "HS256", typ: "JWT", kid })
			.setSubject(id)
			.setAudience(audience)
			.setIssuedAt(Math.floor(now / 1000))
			.setExpirationTime(Math.floor(now / 1000) + 600)
			.sign(by);
	const forged = {
		"a session's form": `Bearer ${token}`,
		"another audience": `Bearer shr_${await signed({}, "footfall:session")}`,
		"another generation": `Bearer shr_${await signed({ generation: 2 }, "footfall:share")}`,
		"another key": `Bearer shr_${await signed({}, "footfall:share", new TextEncoder().encode("k".repeat(32)))}`,
		"a session as a link's": ann.headers.authorization.replace("Bearer ", "Bearer shr_"),
		"no signature": `Bearer shr_${token.split(".").slice(0, 2).join(".")}.`,
		"the address's own token": `Bearer shr_${"x".repeat(43)}`,
	};
	for (const [what, value] of Object.entries(forged)) {
		const { status, code } = await ask({ authorization: value }, `GET /stats/overview?${site}`);
		assert.deepEqual([what, status, code], [what, 401, "token_invalid"]);
	}
	const mcp = { jsonrpc: "2.0", id: 1, method: "tools/list" };
	const atMcp = await app.inject({ method: "POST", url: "/mcp", headers: { ...reader }, payload: mcp });
	assert.equal(atMcp.statusCode, 401);
	const asCookie = await app.inject({
		url: `/api/v1/stats/overview?${site}`,
		cookies: { svc_access_token: authorization.replace("Bearer ", "") },
	});
	assert.equal(asCookie.statusCode, 401);
	const beside = await app.inject({
		url: "/api/v1/sites",
		headers: { ...reader },
		cookies: { svc_access_token: ann.headers.authorization.replace("Bearer ", "") },
	});
	assert.equal(beside.statusCode, 403);
});

test("opening a link looks at no cookie, sets none, and asks for the password", async () => {
	const { token } = await makeLink(app, ann, "shop", { password });
	const cookies = { svc_access_token: ann.headers.authorization.replace("Bearer ", "") };
	const url = `/api/v1/share/${token}/session`;
	const asked = await app.inject({ method: "POST", url, cookies, payload: {} });
	assert.deepEqual([asked.statusCode, asked.json().error.code], [401, "unauthorized"]);
	const opened = await app.inject({ method: "POST", url, cookies, payload: { password } });
	assert.deepEqual([opened.statusCode, opened.headers["set-cookie"]], [200, undefined]);
	const { access_token: _, ...told } = opened.json().data;
	assert.deepEqual(told, {
		token_type: "bearer",
		expires_in: 3600,
		site: { id: "shop", name: "Shop", timezone: "UTC", currency: "EUR" },
		lists: [],
		may_filter: false,
		embed_origins: [],
	});
});

test("wrong passwords are limited by place and link, also when they come at once", async () => {
	const { token } = await makeLink(app, ann, "shop", { password });
	const other = await makeLink(app, ann, "shop", { password });
	const guesses = await Promise.all(
		Array.from({ length: 15 }, (_, at) => open(app, token, { password: `guess number ${at}` }, "192.0.2.1")),
	);
	const statuses = guesses.map(({ statusCode }) => statusCode).sort();
	assert.deepEqual(statuses, [...Array(10).fill(401), ...Array(5).fill(429)]);
	const right = await open(app, token, { password }, "192.0.2.1");
	assert.deepEqual([right.statusCode, right.json().error.code], [429, "rate_limit_exceeded"]);
	assert.equal((await open(app, token, { password }, "192.0.2.200")).statusCode, 200);
	assert.equal((await open(app, other.token, { password }, "192.0.2.1")).statusCode, 200);
	app.clock.advance(15 * 60_000);
	assert.equal((await open(app, token, { password }, "192.0.2.1")).statusCode, 200);
	app.clock.set("2026-11-21T12:00:00.000Z");
});

test("a link ends with its site", async () => {
	const doomed = await createSite(app, ann, { name: "Doomed" });
	const made = await makeLink(app, ann, doomed);
	const reader = await readerOf(app, made);
	const path = `GET /stats/overview?site_id=${doomed}`;
	assert.equal((await ask(reader, path)).status, 200);
	await ask(ann.headers, `DELETE /sites/${doomed}`);
	assert.deepEqual([(await ask(reader, path)).code, (await open(app, made.token)).statusCode], ["token_invalid", 404]);
});

test("the addresses of the site hold for its links too", async () => {
	const { reader, token } = await link({ lists: EVERYTHING });
	const asAnn = (route: string, payload?: object) => ask(ann.headers, `${route}?account_id=shop`, payload);
	await app.metadata
		.withTables<{ organizations: { plan_tier: string } }>()
		.updateTable("organizations")
		.set({ plan_tier: "enterprise" })
		.execute();
	assert.equal((await asAnn("POST /ip-allowlist/patterns", { pattern: "203.0.113.7" })).status, 201);
	const on = { is_enabled: true, enforce_for_dashboard: true, enforce_for_api_tokens: false };
	assert.equal((await asAnn("PUT /ip-allowlist/settings", on)).status, 200);
	assert.equal(await visits(reader), 3);
	const outside = await ask(reader, `GET /stats/overview?${site}`, undefined, "192.0.2.99");
	assert.deepEqual([outside.status, outside.code], [403, "forbidden"]);
	const inBatch = await ask(reader, "POST /batch", bodies["POST /batch"], "192.0.2.99");
	assert.equal(inBatch.body.results.q.error.code, "forbidden");
	assert.equal((await open(app, token, {}, "192.0.2.99")).statusCode, 403);
	assert.equal((await open(app, token)).statusCode, 200);
	await asAnn("PUT /ip-allowlist/settings", { ...on, enforce_for_dashboard: false, enforce_for_api_tokens: true });
	assert.equal((await open(app, token, {}, "192.0.2.99")).statusCode, 403);
	const { body } = await ask(ann.headers, "GET /ip-allowlist/audit?account_id=shop&denied_only=true");
	const [attempt] = body.data.attempts;
	assert.deepEqual([attempt.auth_type, attempt.user_id, attempt.ip_address], ["share", null, "192.0.2.99"]);
	await asAnn("PUT /ip-allowlist/settings", { ...on, is_enabled: false });
});
