import assert from "node:assert/strict";
import { after, test } from "node:test";
import { SignJWT } from "jose";
import { tables } from "../../migrations/metadata/tables/index.ts";
import { shareLists } from "../../src/access/index.ts";
import { signingKey } from "../../src/access/session-token.ts";
import { routesOf } from "../support/access-table.ts";
import { addressOf, unknownIds } from "../support/access-targets.ts";
import { createSite, signIn } from "../support/accounts.ts";
import { isCore } from "../support/hostile-texts.ts";
import { operationsOf } from "../support/operations.ts";
import { type Headers, makeLink, open, readerOf, sharedShop, lastWeek as site } from "../support/shared-link.ts";
import { testApp } from "../support/test-app.ts";
import { password } from "../support/test-users.ts";
import { words } from "../support/words.ts";

const EVERYTHING: readonly string[] = shareLists;
const { app, ann, ask, visits, link } = await sharedShop();
after(() => app.close());

/** Routes that a shared link opens, by its list: all others are closed, whatever the link shows. */
const byList: Readonly<Record<string, readonly string[]>> = {
	overview: ["GET /stats/overview", "POST /batch"],
	channels: ["GET /stats/channels /stats/top-channels"],
	sources: ["GET /stats/sources /stats/sources/top"],
	mediums: ["GET /stats/mediums"],
	campaigns: ["GET /stats/campaigns /stats/campaigns/top"],
	terms: ["GET /stats/terms /stats/terms/top"],
	contents: ["GET /stats/contents /stats/contents/top"],
	referrers: ["GET /stats/referrers /stats/referrers/top"],
	pages: ["GET /stats/pages /stats/pages/top"],
	landing_pages: ["GET /stats/landing-pages /stats/landing-pages/top"],
	exit_pages: ["GET /stats/exit-pages"],
	content_groups: ["GET /stats/pages/content-groups /stats/landing-pages/by-content-group"],
	countries: ["GET /stats/geo/countries"],
	devices: ["GET /stats/devices/types"],
	browsers: ["GET /stats/browsers"],
	systems: ["GET /stats/operating-systems"],
	conversions: ["GET /stats/conversions"],
	microconversions: ["GET /stats/microconversions"],
	properties: ["GET /stats/properties/keys"],
	hours: ["POST /stats/query"],
};
const opened: Readonly<Record<string, string>> = Object.fromEntries(
	Object.entries(byList).flatMap(([list, lines]) => lines.flatMap(routesOf).map((route) => [route, list])),
);

const days = { date_from: "2026-11-15", date_to: "2026-11-21" };
const overview = (id: string, params: object = {}) => {
	return { id, endpoint: "/stats/overview", params: { site_id: "shop", ...params } };
};
const oneQuestion = { queries: [overview("q")] };

test("a link opens the routes of its lists, and of all others on the table of routes none", async () => {
	const linkTo = async (shown: readonly string[]) => ({ shown, ...(await link({ lists: shown })) });
	const [nothing, everything] = [await linkTo([]), await linkTo(EVERYTHING)];
	const singles = await Promise.all(shareLists.map((list) => linkTo([list])));
	const wrong: string[] = [];
	const isPublic = (route: string, security: readonly object[]) => security.length === 0 && opened[route] === undefined;
	const guarded = operationsOf(app).filter(({ route, security }) => !isPublic(route, security));
	assert.ok(guarded.length > 150);
	for (const operation of guarded) {
		const { route, method, hasBody } = operation;
		const list = opened[route];
		const place = EVERYTHING.indexOf(list ?? "");
		// Of links that show one list, the core takes those with this one and with its neighbour.
		const some = isCore ? [singles.at(place), singles.at(place - 1)] : singles;
		const asked = [nothing, everything, ...(list === undefined ? [] : some)].filter((one) => one !== undefined);
		for (const { shown, reader } of asked) {
			const isOpen = list === "overview" || (list !== undefined && shown.includes(list));
			const open = `/api/v1${route.split(" ")[1]}${route === "POST /batch" ? "" : "?site_id=shop"}`;
			const url = isOpen ? open : addressOf(operation, { ...unknownIds, id: "shop" }, "shop");
			const payload = route === "POST /batch" ? oneQuestion : { ...days, dimensions: ["day_of_week", "hour"] };
			const response = await app.inject({ method, url, headers: { ...reader }, ...(hasBody && { payload }) });
			const { error } = response.body.startsWith("{") ? response.json() : { error: undefined };
			const answer = `${response.statusCode} ${error?.code}`;
			const isRefused = ["403 forbidden", "403 insufficient_scope", "404 not_found"].includes(answer);
			if (isOpen ? response.statusCode !== 200 : !isRefused) wrong.push(`${route} with ${shown}: ${answer}`);
		}
	}
	assert.deepEqual(wrong, []);
	const there = new Set(guarded.map(({ route }) => route));
	const missing = Object.keys(opened).filter((route) => !there.has(route));
	assert.deepEqual(missing, []);
});

test("a link opens one site, by whatever name another one is asked for", async () => {
	const { reader } = await link({ lists: EVERYTHING, may_filter: true });
	const names = `site_id=second account_id=second site_id=nowhere site_id=shop&account_id=second
		site_id=shop&site_id=second site_id[]=shop&site_id[]=second`;
	for (const query of [...words(names), ""]) {
		const { status } = await ask(reader, `GET /stats/overview?${query}`);
		assert.ok(status >= 400, query);
	}
	const { status, code } = await ask(reader, "GET /stats/overview?site_id=second");
	const nowhere = await ask(reader, "GET /stats/overview?site_id=nowhere");
	assert.deepEqual([status, code], [nowhere.status, nowhere.code]);
	const queries = [
		overview("own"),
		overview("other", { site_id: "second" }),
		{ ...overview("live", { property_key: "a" }), endpoint: "/stats/properties/values" },
		{ ...overview("why", { ...days, metric: "entrances", compare: "previous" }), endpoint: "/stats/explain" },
		{ ...overview("steps", { steps: ["/", "purchase"] }), endpoint: "/stats/funnel" },
	];
	const { results } = (await ask(reader, "POST /batch", { queries })).body;
	const outcome = Object.values<{ status: string; error?: { code: string } }>(results);
	const codes = outcome.map(({ status, error }) => error?.code ?? status);
	assert.deepEqual(codes, ["success", "forbidden", "forbidden", "insufficient_scope", "forbidden"]);
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
	const { data, totals } = (await ask(reader, `GET /stats/geo/countries?${site}&include_totals=true`)).body;
	assert.deepEqual([data.map((row: { country: string }) => row.country), totals.entrances], [["ES"], 2]);
	for (const segment of ["&segment=spain", "&segment=", "&segment=mobile", "&segment[]=x"]) {
		assert.equal(await visits(reader, segment), 403, segment);
	}
	const hours = { ...days, dimensions: ["hour"], metrics: ["entrances"] };
	const query = (filters: object, more = "") =>
		ask(reader, `POST /stats/query?site_id=shop${more}`, { ...hours, filters });
	const rowsOf = async (filters: object, more = "") => (await query(filters, more)).body.data;
	assert.deepEqual(await rowsOf({}), [{ hour: 10, entrances: 2 }]);
	assert.deepEqual(await rowsOf({ country: "FR" }), []);
	assert.deepEqual(await rowsOf({ country: ["ES", "FR"] }), [{ hour: 10, entrances: 2 }]);
	assert.deepEqual(await rowsOf({}, france({ conditions: [inFrance] })), []);
	assert.equal((await query({}, "&segment=spain")).code, "forbidden");
	const week = { period: "7d" };
	const queries = [
		overview("all", week),
		overview("fr", { ...week, country: ["FR"] }),
		overview("lift", { ...week, segment: "all" }),
	];
	const { all, fr, lift } = (await ask(reader, "POST /batch", { queries })).body.results;
	const entrances = [all, fr].map((answer) => answer.data.data.traffic.entrances);
	assert.deepEqual([...entrances, lift.error.code], [2, 0, "forbidden"]);
	const compared = await ask(reader, `GET /stats/overview?site_id=shop&period=today&compare=previous`);
	assert.equal(compared.body.data.traffic_change.entrances, 2);
});

test("a link without leave to filter admits none, and one with it only by what it shows", async () => {
	const shut = (await link({ lists: EVERYTHING })).reader;
	const some = (await link({ lists: ["sources"], may_filter: true })).reader;
	const conditions = encodeURIComponent('{"conditions":[{"field":"country","operator":"in","value":["ES"]}]}');
	const byOthers = ["&country=ES", "&filters=country:eq:ES", `&segment_filters=${conditions}`, "&browser=Chrome"];
	const more = words("&country[]=ES &path_filter=/ &landing_page=/ &conversion_type=purchase &content_grouping=a");
	for (const query of [...byOthers, ...more]) assert.equal(await visits(shut, query), 403, query);
	for (const query of byOthers) assert.equal(await visits(some, query), 403, query);
	const byShown = ["&utm_source=google", "&filters=utm_source:eq:google"];
	for (const query of byShown) assert.equal(await visits(some, query), 2, query);
	const further = words("&imports=exclude &explain=true &include_utm=true &whatever=1");
	for (const query of [...byShown, ...further]) assert.equal(await visits(shut, query), 403, query);
	const body = { ...days, dimensions: ["hour"], filters: { utm_source: "google" } };
	assert.equal((await ask(shut, "POST /stats/query?site_id=shop", body)).code, "forbidden");
});

test("no list tells what another one is for", async () => {
	const pages = (await link({ lists: ["pages", "conversions", "hours"], may_filter: true })).reader;
	const others = "include_utm=true include=browser include=visitors&include=device include[]=channel_group";
	for (const more of words(others)) {
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

test("every link that shows nothing, as one of a deleted site, is the same to whoever opens it", async () => {
	const off = await link();
	await ask(ann.headers, `PATCH /sites/shop/share-links/${off.id}`, { is_active: false });
	const gone = await link();
	await ask(ann.headers, `DELETE /sites/shop/share-links/${gone.id}`);
	const renewed = await link();
	await ask(ann.headers, `POST /sites/shop/share-links/${renewed.id}/renew`);
	const site = await createSite(app, ann, { name: "Closed" });
	const closed = await makeLink(app, ann, site);
	const reader = await readerOf(app, closed);
	assert.equal((await ask(reader, `GET /stats/overview?site_id=${site}`)).status, 200);
	await ask(ann.headers, `DELETE /sites/${site}`);
	assert.equal((await ask(reader, `GET /stats/overview?site_id=${site}`)).code, "token_invalid");
	const over = await link({ expires_at: "2026-11-21T12:30:00Z" });
	const locked = await makeLink(app, ann, "shop", { password, expires_at: "2026-11-21T12:30:00Z" });
	app.clock.set("2026-11-21T12:30:00.000Z");
	const once = [off, gone, renewed, closed, over, locked].map(({ token }) => token);
	for (const token of [...once, "x".repeat(43), "x"]) {
		const dead = { code: "not_found", message: "The shared link does not exist or was deleted" };
		const answer = await open(app, token);
		assert.deepEqual([answer.statusCode, answer.json().error], [404, dead]);
	}
	for (const token of ["%00", "..%2Fsites"]) assert.ok((await open(app, token)).statusCode >= 400);
	app.clock.set("2026-11-21T12:00:00.000Z");
});

test("a bearer ends after an hour, and with every change of its link", async () => {
	for (const [route, body] of [
		["PATCH ID", { password: "a new password" }],
		["PATCH ID", { password: null }],
		["PATCH ID", { lists: [] }],
		["PATCH ID", { is_active: false }],
		["POST ID/renew"],
		["DELETE ID"],
	] as const) {
		const { id, reader } = await link({ password, lists: EVERYTHING });
		assert.equal(await visits(reader), 3);
		await ask(ann.headers, route.replace("ID", `/sites/shop/share-links/${id}`), body);
		const { status, code } = await ask(reader, `GET /stats/overview?${site}`);
		assert.deepEqual([status, code], [401, "token_invalid"], `${route} ${JSON.stringify(body)}`);
		assert.equal((await ask(reader, "POST /batch", oneQuestion)).status, 401);
	}
	const { id, reader } = await link({ expires_at: "2026-11-21T12:30:00Z" });
	const hour = await link();
	for (const [time, bearer, expected] of [
		["12:29:59", reader, 3],
		["12:30:00", reader, 401],
		["12:59:59", hour.reader, 3],
		["13:00:01", hour.reader, 401],
	] as const) {
		app.clock.set(`2026-11-21T${time}.000Z`);
		assert.equal(await visits(bearer), expected, time);
	}
	assert.equal((await ask(hour.reader, `GET /stats/overview?${site}`)).code, "token_expired");
	app.clock.set("2026-11-21T12:00:00.000Z");
	await ask(ann.headers, `DELETE /sites/shop/share-links/${id}`);
});

test("bearers of other makes open nothing", async () => {
	const { id, reader } = await link({ lists: EVERYTHING });
	const { authorization = "" } = reader;
	const token = authorization.replace("Bearer shr_", "");
	const now = app.clock.now();
	const { id: kid, key } = signingKey(app.config.secretKey, now);
	const usual = { generation: 1, sid: "x", sub: id, iat: Math.floor(now / 1000), exp: Math.floor(now / 1000) + 600 };
	const signed = (claims: object, by: Uint8Array = key) =>
		new SignJWT({ ...usual, ...claims }).setProtectedHeader({ alg: "HS256", typ: "JWT", kid }).sign(by);
	const aud = "footfall:share";
	assert.equal(await visits({ authorization: `Bearer shr_${await signed({ aud })}` }), 3);
	const forged = {
		"a session's form": `Bearer ${token}`,
		"another audience": `Bearer shr_${await signed({ aud: "footfall:session" })}`,
		"another generation": `Bearer shr_${await signed({ aud, generation: 2 })}`,
		"another key": `Bearer shr_${await signed({ aud }, new TextEncoder().encode("k".repeat(32)))}`,
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
	const cookieOf = (header: string) => ({ svc_access_token: header.replace("Bearer ", "") });
	const asCookie = await app.inject({ url: `/api/v1/stats/overview?${site}`, cookies: cookieOf(authorization) });
	assert.equal(asCookie.statusCode, 401);
	const cookies = cookieOf(ann.headers.authorization);
	const beside = await app.inject({ url: "/api/v1/sites", headers: { ...reader }, cookies });
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
	const shop = { id: "shop", name: "Shop", timezone: "UTC", currency: "EUR" };
	const shown = { site: shop, lists: [], may_filter: false, embed_origins: [] };
	assert.deepEqual(told, { token_type: "bearer", expires_in: 3600, ...shown });
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

test("each address that reads by a link has its own limit, and uses up nobody else's", async () => {
	await using limited = await testApp({ env: { RATE_LIMIT_ENABLED: "true" } });
	const owner = await signIn(limited);
	await createSite(limited, owner);
	const reader = await readerOf(limited, await makeLink(limited, owner, "shop"));
	const left = async (headers: Headers, remoteAddress: string) => {
		const url = `/api/v1/stats/overview?${site}`;
		const response = await limited.inject({ url, headers: { ...headers }, remoteAddress });
		assert.equal(response.statusCode, 200, response.body);
		return Number(response.headers["x-ratelimit-remaining"]);
	};
	const first = await left(reader, "203.0.113.50");
	assert.equal(await left(reader, "203.0.113.50"), first - 1);
	assert.equal(await left(reader, "203.0.113.51"), first);
	const own = await left(owner.headers, "203.0.113.50");
	assert.equal(await left(owner.headers, "203.0.113.50"), own - 1);
	assert.equal(await left(reader, "203.0.113.50"), first - 2);
});

test("the addresses of the site hold for its links too", async () => {
	const { reader, token } = await link({ lists: EVERYTHING });
	const asAnn = (route: string, payload?: object) => ask(ann.headers, `${route}?account_id=shop`, payload);
	await tables(app.metadata).updateTable("organizations").set({ plan_tier: "enterprise" }).execute();
	assert.equal((await asAnn("POST /ip-allowlist/patterns", { pattern: "203.0.113.7" })).status, 201);
	const on = { is_enabled: true, enforce_for_dashboard: true, enforce_for_api_tokens: false };
	assert.equal((await asAnn("PUT /ip-allowlist/settings", on)).status, 200);
	assert.equal(await visits(reader), 3);
	const outside = await ask(reader, `GET /stats/overview?${site}`, undefined, "192.0.2.99");
	assert.deepEqual([outside.status, outside.code], [403, "forbidden"]);
	const inBatch = await ask(reader, "POST /batch", oneQuestion, "192.0.2.99");
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
