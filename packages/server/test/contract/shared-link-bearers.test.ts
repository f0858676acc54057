import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { SignJWT } from "jose";
import { shareLists } from "../../src/access/index.ts";
import { signingKey } from "../../src/access/signing-keys.ts";
import { createSite, type Session, signIn } from "../support/accounts.ts";
import { type Headers, makeLink, open, readerOf } from "../support/shared-link.ts";
import { type SharedShop, sharedShop, lastWeek as site } from "../support/shared-shop.ts";
import { type TestApp, testApp } from "../support/test-app.ts";

const EVERYTHING = [...shareLists];
const password = "correct horse battery staple 7";
const oneQuestion = { queries: [{ id: "q", endpoint: "/stats/overview", params: { site_id: "shop" } }] };

let app: TestApp;
let ann: Session;
let ask: SharedShop["ask"];
let visits: SharedShop["visits"];
let link: SharedShop["link"];
before(async () => {
	({ app, ann, ask, visits, link } = await sharedShop());
});
after(() => app.close());

test("every link that shows nothing is the same to whoever opens it", async () => {
	const off = await link();
	await ask(ann.headers, `PATCH /sites/shop/share-links/${off.id}`, { is_active: false });
	const gone = await link();
	await ask(ann.headers, `DELETE /sites/shop/share-links/${gone.id}`);
	const renewed = await link();
	await ask(ann.headers, `POST /sites/shop/share-links/${renewed.id}/renew`);
	const over = await link({ expires_at: "2026-11-21T12:30:00Z" });
	const locked = await makeLink(app, ann, "shop", { password, expires_at: "2026-11-21T12:30:00Z" });
	app.clock.set("2026-11-21T12:30:00.000Z");
	const answers = [];
	const once = [off, gone, renewed, over, locked].map(({ token }) => token);
	for (const token of [...once, "x".repeat(43), "x", "%00", "../sites"]) {
		const { statusCode, body } = await open(app, encodeURIComponent(decodeURIComponent(token)));
		answers.push([statusCode, body === "" ? "" : JSON.parse(body).error]);
	}
	app.clock.set("2026-11-21T12:00:00.000Z");
	const dead = [404, { code: "not_found", message: "The shared link does not exist or was deleted" }];
	assert.deepEqual(answers.slice(0, 7), Array(7).fill(dead));
	assert.ok(answers.slice(7).every(([status]) => Number(status) >= 400));
});

test("a bearer ends after an hour, and with every change of its link", async () => {
	const changes: readonly (readonly [what: string, method: string, after?: string, body?: object])[] = [
		["another password", "PATCH", "", { password: "a new password" }],
		["no password", "PATCH", "", { password: null }],
		["other lists", "PATCH", "", { lists: [] }],
		["off", "PATCH", "", { is_active: false }],
		["another address", "POST", "/renew"],
		["removed", "DELETE"],
	];
	for (const [what, method, after = "", body] of changes) {
		const { id, reader } = await link({ password, lists: EVERYTHING });
		assert.equal(await visits(reader), 3);
		await ask(ann.headers, `${method} /sites/shop/share-links/${id}${after}`, body);
		const { status, code } = await ask(reader, `GET /stats/overview?${site}`);
		assert.deepEqual([what, status, code], [what, 401, "token_invalid"]);
		assert.equal((await ask(reader, "POST /batch", oneQuestion)).status, 401);
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

test("each address that reads by a link has its own limit, and uses up nobody else's", async (t) => {
	const limited = await testApp({ now: "2026-11-21T12:00:00.000Z", env: { RATE_LIMIT_ENABLED: "true" } });
	t.after(() => limited.close());
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
