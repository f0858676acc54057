import assert from "node:assert/strict";
import { after, beforeEach, test } from "node:test";
import type { Tables } from "../../migrations/metadata/tables/index.ts";
import { type AccountsApp, accountsApp } from "../../test/support/accounts-app.ts";
import { renewSession } from "../../test/support/renew-session.ts";

type Answer = Awaited<ReturnType<AccountsApp["call"]>>;

let host = 0;
let remoteAddress: string;

const app = await accountsApp({ env: { RATE_LIMIT_ENABLED: "true" } });
const ann = await app.user("Ann");
const bob = await app.user("Bob");
const root = await app.user("Root", "superadmin");
await app.site(ann, { name: "Shop" });
await app.site(bob, { name: "Blog" });
beforeEach(async () => {
	app.clock.advance(3_600_000);
	for (const user of [ann, bob, root]) {
		const headers = await renewSession(app, user.id);
		Object.assign(user, { headers, token: headers.authorization.replace("Bearer ", "") });
	}
	await setPlan("ann", "growth");
	await setPlan("bob", "growth");
	host += 1;
	remoteAddress = `198.51.100.${host}`;
});
after(() => app.close());

const setPlan = (slug: string, plan_tier: "growth" | "scale" | "enterprise") =>
	app.metadata.withTables<Tables>().updateTable("organizations").set({ plan_tier }).where("slug", "=", slug).execute();

/** Status, limit, what remains, and seconds until the window ends. */
const told = ({ statusCode, headers }: Answer) => [
	statusCode,
	...["limit", "remaining"].map((name) => Number(headers[`x-ratelimit-${name}`])),
	Number(headers["x-ratelimit-reset"]) - app.clock.now() / 1000,
];
const ask = async (path: string, as?: { readonly headers: Readonly<Record<string, string>> }) =>
	told(await app.call(`GET ${path}`, as === undefined ? {} : { as }));
const from = (address: string, url: string, headers = {}) =>
	app.inject({ url: `/api/v1${url}`, remoteAddress: address, headers });

const overview = "/stats/overview?site_id=shop";

test("a user may send as many requests a minute as the plan allows, also at once, and each answer says how many are left", async () => {
	const list = () => app.call("GET /sites", { as: ann });
	assert.deepEqual(told(await list()), [200, 240, 239, 60]);
	app.clock.advance(20_500);
	assert.deepEqual(told(await list()), [200, 240, 238, 39.5]);
	const answers = await Promise.all(Array.from({ length: 250 }, list));
	const [last, ...others] = answers.filter(({ statusCode }) => statusCode === 200).reverse();
	assert.equal(others.length, 237);
	assert.deepEqual(last && [...told(last), last.headers["retry-after"]], [200, 240, 0, 39.5, undefined]);
	const refused = await list();
	assert.deepEqual([...told(refused), refused.headers["retry-after"]], [429, 240, 0, 39.5, "40"]);
	const message = "Too many requests. Try again in 40 seconds.";
	assert.deepEqual(refused.json().error, { code: "rate_limit_exceeded", message });
	// Another plan holds from the next request on.
	await setPlan("ann", "enterprise");
	assert.equal((await list()).statusCode, 200);
	await setPlan("ann", "growth");
	app.clock.advance(39_499);
	const atTheEnd = await list();
	assert.deepEqual([atTheEnd.statusCode, atTheEnd.headers["retry-after"]], [429, "1"]);
	app.clock.advance(1);
	assert.deepEqual(told(await list()), [200, 240, 239, 60]);
});

test("a user counts once, from whichever address and with whichever session, and uses up nobody else's requests", async () => {
	assert.deepEqual(told(await from("192.0.2.1", "/sites", ann.headers)), [200, 240, 239, 60]);
	const again = await renewSession(app, ann.id);
	assert.deepEqual(told(await from("192.0.2.2", "/sites", { ...again })), [200, 240, 238, 60]);
	assert.deepEqual(await ask("/sites", bob), [200, 240, 239, 60]);
	const query = { endpoint: "/stats/overview", params: { site_id: "shop" } };
	const batch = await app.call("POST /batch", {
		as: ann,
		body: { queries: ["a", "b"].map((id) => ({ id, ...query })) },
	});
	assert.deepEqual([batch.json().meta.successful, ...told(batch)], [2, 200, 240, 237, 60], "a batch is one request");
});

test("a key has a bucket of its own, and another one for reports with half of the plan", async () => {
	const body = { name: "test", scopes: ["stats:read", "sites:read"], account_ids: ["shop"] };
	const key = async () => {
		const made = await app.call("POST /api-tokens", { as: ann, body });
		return { headers: { "x-api-key": made.json().data.token } };
	};
	const [first, second] = [await key(), await key()];
	app.clock.advance(60_000);
	for (const [path, as, limit, left] of [
		["/sites", first, 240, 239],
		[overview, first, 120, 119],
		[overview, first, 120, 118],
		["/bot-stats/overview?site_id=shop", first, 240, 238],
		[overview, second, 120, 119],
		[overview, ann, 240, 239],
	] as const) {
		assert.deepEqual((await ask(path, as)).slice(1), [limit, left, 60], path);
	}
	for (let left = 117; left >= 0; left--) assert.deepEqual(await ask(overview, first), [200, 120, left, 60]);
	assert.deepEqual(await ask(overview, first), [429, 120, 0, 60]);
	assert.deepEqual(await ask("/sites", first), [200, 240, 237, 60]);
});

test("the plan is that of the site's organization, then the named one of the caller's that exists, then the default one", async () => {
	await setPlan("bob", "scale");
	assert.deepEqual(await ask("/stats/overview?site_id=blog", bob), [200, 480, 479, 60]);
	assert.deepEqual(await ask("/sites", bob), [200, 480, 478, 60]);
	assert.deepEqual(await ask("/stats/overview?site_id=blog", root), [200, 480, 479, 60]);
	assert.deepEqual(await ask("/sites", root), [200, 10_000, 9998, 60]);
	await app.call("POST /organizations", { as: root, body: { name: "Big" } });
	await app.call("POST /organizations/big/members", { as: root, body: { user_id: ann.id, role: "member" } });
	await setPlan("big", "scale");
	assert.deepEqual(await ask("/sites", ann), [200, 480, 479, 60]);
	await app.call("DELETE /organizations/big", { as: root, body: { name: "Big" } });
	assert.deepEqual(await ask("/sites", ann), [200, 240, 238, 60]);
});

test("a site out of reach lends its plan to nobody, and the refused request counts", async () => {
	await setPlan("bob", "enterprise");
	assert.deepEqual(await ask("/stats/overview?site_id=blog", ann), [403, 240, 239, 60]);
	assert.deepEqual(await ask("/stats/overview?site_id=nowhere", ann), [404, 240, 238, 60]);
	const forged = await app.call("POST /sites", { cookies: { svc_access_token: ann.token }, body: { name: "Forged" } });
	assert.deepEqual(told(forged), [403, 240, 237, 60]);
});

test("an address may send 60 requests a minute without a valid credential, whatever they are refused for", async () => {
	const ways: [string, Record<string, string>, number][] = [
		["/sites", {}, 401],
		["/sites", { "x-api-key": "svc_wrong" }, 401],
		["/sites", { authorization: "Bearer wrong" }, 401],
		["/sites", { cookie: "svc_access_token=wrong" }, 401],
		[overview, { "x-api-key": "svc_wrong" }, 401],
		["/nowhere", {}, 404],
		["/sites/%c3%28", {}, 400],
	];
	for (const [at, [url, headers, status]] of ways.entries()) {
		assert.deepEqual(told(await from(remoteAddress, url, headers)), [status, 60, 59 - at, 60]);
	}
	const wrongVerb = await app.inject({ method: "PUT", url: "/api/v1/sites", remoteAddress });
	assert.deepEqual(told(wrongVerb), [405, 60, 52, 60]);
	for (let left = 51; left >= 0; left--) await from(remoteAddress, "/sites");
	for (const [url, headers] of ways) {
		const answer = await from(remoteAddress, url, headers);
		assert.deepEqual([...told(answer), answer.headers["retry-after"]], [429, 60, 0, 60, "60"]);
		assert.equal(answer.headers["www-authenticate"], undefined);
	}
	const login = { method: "POST", url: "/api/v1/auth/token", remoteAddress, payload: {} } as const;
	assert.equal((await app.inject(login)).statusCode, 429);
	assert.deepEqual(told(await from(remoteAddress, "/sites", ann.headers)), [200, 240, 239, 60]);
	app.clock.advance(60_000);
	assert.deepEqual(told(await from(remoteAddress, "/sites")), [401, 60, 59, 60]);
});

test("a route outside the limits shows the rest of the address, and takes nothing", async () => {
	await from(remoteAddress, "/sites");
	const preflight = { origin: "https://shop.example", "access-control-request-method": "GET" };
	const options = { method: "OPTIONS", url: "/api/v1/sites", remoteAddress, headers: preflight } as const;
	for (let times = 0; times < 3; times++) assert.deepEqual(told(await app.inject(options)), [204, 60, 59, 60]);
	assert.deepEqual(told(await from(remoteAddress, "/sites")), [401, 60, 58, 60]);
});

test("an address of the sixth version counts with its /64 network", async () => {
	const network = `2001:db8:0:${host.toString(16)}`;
	for (const [address, left] of [
		[`${network}::1`, 59],
		[`${network}:ffff:ffff:ffff:ffff`, 58],
		["2001:db8:0:ffff::1", 59],
		[remoteAddress, 59],
		[`::ffff:${remoteAddress}`, 58],
	] as const) {
		assert.deepEqual(told(await from(address, "/sites")), [401, 60, left, 60], address);
	}
});
