import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { password, type SignedIn, sharedAccountsApp } from "../../../../test/support/accounts-app.ts";
import { allowlistClient, OFFICE } from "../../../../test/support/allowlist-client.ts";
import { siteMembers } from "../sites/index.ts";
import { openIpAllowlists } from "./index.ts";

const PROXY = "10.0.0.1";
const NOT_ALLOWED = "Access from this IP address is not allowed";
const scopes = ["stats:read", "sites:read", "accounts:read"];

interface Audit {
	readonly attempts: readonly Readonly<Record<string, unknown>>[];
	readonly total: number;
	readonly denied_count: number;
}

const app = sharedAccountsApp({ env: { TRUST_PROXY: PROXY } });
let owner: SignedIn;
let root: SignedIn;
/** Without a list. */
const free = "shop-2";
/** With a list that covers the office alone. */
const guarded = "shop";
const here = `/sites/${guarded}`;
let at: ReturnType<typeof allowlistClient>;
/** Where no list reaches, and nobody has been before: a repeated visit of a minute is not recorded again. */
let outside = { from: "" };
let tests = 0;
beforeEach(async () => {
	outside = { from: `192.0.2.${++tests}` };
	[owner, root] = [await app.user("Ann"), await app.user("Root", "superadmin")];
	await app.site(owner);
	await app.site(owner);
	at = allowlistClient(app, owner, guarded);
	await at.allow(OFFICE);
});

const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id).sort();
/** Status of asking for the site. */
const status = async (from: string, headers: Readonly<Record<string, string>> = owner.headers) =>
	(await at.ask(`GET ${here}`, undefined, { headers, from })).status;
const audit = async (query = ""): Promise<Audit> => (await at.call(`GET /audit${query}`)).data;
const denied = () => audit("?denied_only=true");
const ofRoot = async () => (await audit()).attempts.filter(({ user_email: email }) => email === root.email);

test("a request that names the site is refused from any other address, and from there it is answered", async () => {
	const days = { date_from: "2026-11-01", date_to: "2026-11-02" };
	for (const [route, body] of [
		[`GET ${here}`],
		[`PATCH ${here}`, { name: "Shop" }],
		[`POST ${here}/domains`, { domain: "shop.example" }],
		[`PUT /ip-allowlist/settings?account_id=${guarded}`, {}],
		[`GET /stats/overview?site_id=${guarded}`],
		[`POST /stats/query?site_id=${guarded}`, days],
		[`GET /blocklist-ips?account_id=${guarded}`],
		[`GET /bot-stats/overview?account_id=${guarded}`],
	] as const) {
		const answer = await at.ask(route, body, outside);
		assert.deepEqual([answer.status, answer.code, answer.message], [403, "forbidden", NOT_ALLOWED], route);
		assert.deepEqual(answer.detail, [{ field: "ip_address", message: outside.from, type: "ip_not_allowed" }], route);
		assert.ok((await at.ask(route, body)).status < 300, route);
	}
	assert.ok(!/203\.0\.113|192\.0\.2/.test(app.logLines.join("")), "no address is logged");
});

test("the same address counts in all its forms, and no neighbour of it does", async () => {
	await at.call("POST /patterns", { pattern: "2001:db8:0:1::/64", pattern_type: "cidr" });
	const same = [OFFICE, `::ffff:${OFFICE}`, "::FFFF:CB00:7107", "2001:DB8::1:0:0:0:9", "2001:db8:0:1::%eth0"];
	for (const from of same) assert.equal(await status(from), 200, from);
	const others = ["203.0.113.70", "::cb00:7107", "64:ff9b::cb00:7107", "2001:db8:0:2::9", "203.0.113.7:80", "x"];
	for (const from of others) assert.equal(await status(from), 403, from);
});

test("headers tell of the address only where a trusted proxy sends them", async () => {
	const forwarded = "x-forwarded-for";
	for (const [from, name, value, expected] of [
		...[forwarded, "x-real-ip", "cf-connecting-ip", "true-client-ip"].map(
			(name) => [outside.from, name, OFFICE, 403] as const,
		),
		[outside.from, "forwarded", `for=${OFFICE}`, 403],
		[PROXY, forwarded, OFFICE, 200],
		[PROXY, forwarded, outside.from, 403],
		[PROXY, forwarded, `${OFFICE}, ${outside.from}`, 403],
		[PROXY, forwarded, `${outside.from}, ${OFFICE}`, 200],
		[PROXY, forwarded, "office", 403],
		[OFFICE, forwarded, outside.from, 200],
	] as const) {
		assert.equal(await status(from, { ...owner.headers, [name]: value }), expected, `${from} ${name}: ${value}`);
	}
});

test("sessions and keys are held to the list as its settings say", async () => {
	const key = await at.key(scopes);
	for (const [on, sessions, keys, expected] of [
		[true, true, true, [403, 403]],
		[true, true, false, [403, 200]],
		[true, false, true, [200, 403]],
		[true, false, false, [200, 200]],
		[false, true, true, [200, 200]],
	] as const) {
		const settings = { is_enabled: on, enforce_for_dashboard: sessions, enforce_for_api_tokens: keys };
		await at.call("PUT /settings", settings);
		assert.deepEqual([await status(outside.from), await status(outside.from, key)], expected);
	}
});

test("a change counts from the next request on, in another process at its next look", async () => {
	const elsewhere = await openIpAllowlists({ metadata: app.metadata, clock: app.clock });
	const visit = { credential: "session", userId: owner.id, isSuperadmin: false, userAgent: undefined } as const;
	const opens = () => [guarded, free].map((site) => elsewhere.policy.opens(site, { ...visit, ip: outside.from }));
	assert.deepEqual(opens(), [false, true]);
	const { id } = (await at.call("POST /patterns", { pattern: outside.from })).data;
	for (const [is_active, expected] of [
		[true, 200],
		[false, 403],
		[true, 200],
	] as const) {
		await at.call(`PATCH /patterns/${id}`, { is_active });
		assert.equal(await status(outside.from), expected);
		await elsewhere.allowlists.refresh();
		assert.deepEqual(opens(), [is_active, true]);
	}
	await at.call(`DELETE /patterns/${id}`);
	assert.equal(await status(outside.from), 403);
	elsewhere.stop();
});

test("lists of several sites leave the site out", async () => {
	const { data: scoped } = await at.ask("POST /api-tokens", { name: "one", scopes, account_ids: [guarded] });
	const key = await at.key(scopes);
	for (const headers of [owner.headers, key]) {
		const seen = async (from: string) => {
			const ask = async (route: string) => (await at.ask(route, undefined, { headers, from })).data;
			const { sites, ip_filtered_accounts: shut } = await ask("GET /sites");
			const listed: { account_ids: string[] }[] = (await ask("GET /api-tokens")).tokens;
			const alone = [await ask(`GET /api-tokens/${scoped.id}`), await ask("GET /users/me"), await ask("GET /auth/me")];
			return [ids(sites), shut, ...[...listed, ...alone].map(({ account_ids }) => account_ids)];
		};
		const [one, all] = [[guarded], [guarded, free]];
		assert.deepEqual(await seen(OFFICE), [all, [], all, one, one, all, all]);
		assert.deepEqual(await seen(outside.from), [[free], one, [free], [], [], [free], [free]]);
	}
});

test("lists of an organization and the audit log leave the site out, and what names the site is refused", async () => {
	const { slug } = (await at.ask("POST /organizations", { name: "Acme" })).data;
	const bob = await app.user("Bob");
	await siteMembers.insert(app.metadata, { site_id: guarded, user_id: bob.id, role: "viewer", created_at: 0 });
	const organization = `/organizations/${slug}`;
	assert.equal((await at.ask(`POST ${organization}/members`, { user_id: bob.id })).status, 201);
	for (const list of [`GET ${organization}/sites`, `GET ${organization}/members/${bob.id}/sites`]) {
		assert.deepEqual(ids((await at.ask(list)).data.sites), [guarded, free], list);
		assert.deepEqual(ids((await at.ask(list, undefined, outside)).data.sites), [free], list);
	}
	const actions = async (query: string, options?: { from: string }) => {
		const { status: refused, data } = await at.ask(`GET /audit/logs?page_size=100${query}`, undefined, options);
		return data?.logs.map(({ action }: { action: string }) => action) ?? refused;
	};
	const away = await actions("", outside);
	assert.ok(away.includes("site.created") && !away.includes("ip_pattern.created"));
	assert.equal(await actions(`&account_id=${guarded}`, outside), 403);
	for (const query of ["", `&account_id=${guarded}`]) assert.ok((await actions(query)).includes("ip_pattern.created"));
	for (const [route, body] of [
		[`POST ${organization}/members/${bob.id}/sites`, { site_ids: [free, guarded] }],
		[`DELETE ${organization}/members/${bob.id}/sites/${guarded}`],
		[`POST ${organization}/invitations`, { email: "cy@example.com", site_ids: [guarded] }],
	] as const) {
		const answer = await at.ask(route, body, outside);
		assert.deepEqual([answer.status, answer.message], [403, NOT_ALLOWED], route);
		assert.ok((await at.ask(route, body)).status < 300, route);
	}
});

test("a key for the site is not made from elsewhere, and whether a strange site has a list is not told", async () => {
	const make = (account_ids?: readonly string[], options: object = outside) =>
		at.ask("POST /api-tokens", { name: "k", scopes, ...(account_ids && { account_ids }) }, options);
	for (const sites of [[free, guarded], undefined]) {
		const { status: refused, message } = await make(sites);
		assert.deepEqual([refused, message], [403, NOT_ALLOWED]);
	}
	assert.deepEqual([(await make([free])).status, (await make(undefined, { from: OFFICE })).status], [201, 201]);
	const before = (await denied()).total;
	const { headers } = await app.user("Nosy");
	const nosy = await make([guarded], { ...outside, headers });
	assert.deepEqual([nosy.status, nosy.message], [403, `Access denied to account: ${guarded}`]);
	assert.equal((await denied()).total, before);
});

test("a sign-in names the sites that its address shuts", async () => {
	const signIn = async (email: string, from: string) =>
		(await at.ask("POST /auth/token", { email, password }, { headers: {}, from })).data;
	const away = await signIn(owner.email, outside.from);
	const told = [away.user.account_ids, away.ip_filtered_accounts, away.client_ip];
	assert.deepEqual(told, [[free], [guarded], outside.from]);
	const back = await signIn(owner.email, OFFICE);
	assert.deepEqual([back.user.account_ids, back.ip_filtered_accounts], [[guarded, free], []]);
	const [{ user_email, ip_address } = {}, ...more] = (await denied()).attempts;
	assert.deepEqual([user_email, ip_address, more], [owner.email, outside.from, []]);
	assert.deepEqual((await signIn(root.email, outside.from)).ip_filtered_accounts, []);
});

test("superadmins pass and are recorded, also in reports over all sites; their keys do not pass", async () => {
	const asRoot = allowlistClient(app, root, guarded);
	assert.ok(ids((await asRoot.ask("GET /sites", undefined, outside)).data.sites).includes(guarded));
	const over = `account_ids=${guarded}&account_ids=${free}`;
	const reports = ["overview", "devices", "pages"].map((name) => `GET /stats/aggregate/${name}?${over}`);
	for (const [index, route] of [`GET ${here}`, `GET /stats/overview?site_id=${guarded}`, ...reports].entries()) {
		const from = `192.0.2.${100 + index}`;
		assert.equal((await asRoot.ask(route, undefined, { from })).status, 200, route);
		const [last] = await ofRoot();
		assert.deepEqual([last?.access_granted, last?.ip_address, last?.matched_pattern], [true, from, null], route);
	}
	assert.equal((await at.ask(reports[0] ?? "")).message, "Required scope: superadmin");
	assert.equal(await status(outside.from, await asRoot.key(scopes)), 403);
});

test("each query of a batch is asked from the caller's own address", async () => {
	const queries = [guarded, free].map((id) => ({ id, endpoint: "/stats/overview", params: { site_id: id } }));
	const headers = { ...owner.headers, "user-agent": "batcher" };
	const batch = async (from: string) => {
		const as = { headers, remoteAddress: from };
		const answer = await app.inject({ method: "POST", url: "/api/v1/batch", ...as, payload: { queries } });
		return [guarded, free].map((site) => answer.json().results[site].status);
	};
	assert.deepEqual(await batch(OFFICE), ["success", "success"]);
	assert.deepEqual(await batch("192.0.2.44"), ["error", "success"]);
	const [attempt] = (await denied()).attempts;
	assert.deepEqual([attempt?.ip_address, attempt?.user_agent], ["192.0.2.44", "batcher"]);
});

test("a site out of reach and a missing scope are told before the address, and record nothing", async () => {
	const stranger = await app.user("Stranger");
	const key = await at.key(["stats:read"]);
	for (const [headers, message] of [
		[stranger.headers, `Access denied to account: ${guarded}`],
		[key, "Required scope: sites:read"],
	] as const) {
		assert.equal((await at.ask(`GET ${here}`, undefined, { headers, from: outside.from })).message, message);
	}
	assert.equal((await denied()).total, 0);
});

test("visits are recorded once a minute for each caller, address and outcome", async () => {
	const key = await at.key(scopes);
	app.clock.set("2026-11-21T12:05:00.000Z");
	for (let round = 0; round < 3; round++) {
		await status(outside.from, { ...owner.headers, "user-agent": `curl/8 ${"x".repeat(400)}` });
		await status(outside.from, key);
	}
	app.clock.set("2026-11-21T12:06:00.000Z");
	await status(outside.from, key);
	const { attempts, total, denied_count: count } = await denied();
	assert.deepEqual([total, count], [3, 3]);
	const types = attempts.map(({ auth_type }) => auth_type);
	assert.deepEqual(types, ["api_key", "api_key", "jwt"]);
	const { id, user_agent: agent, ...first } = attempts[2] ?? {};
	assert.match(String(agent), /^curl\/8 x{293}$/);
	assert.deepEqual(first, {
		...{ account_id: guarded, user_id: owner.id, user_email: owner.email, ip_address: outside.from },
		...{ auth_type: "jwt", access_granted: false, matched_pattern_id: null, matched_pattern: null },
		created_at: "2026-11-21T12:05:00.000Z",
	});
	const all = await audit();
	const page = await audit("?limit=1&offset=1");
	assert.ok(all.total > 3);
	assert.deepEqual([page.total, page.attempts], [all.total, [all.attempts[1]]]);
	const granted = all.attempts.find(({ access_granted: isGranted }) => isGranted);
	assert.deepEqual([granted?.matched_pattern, granted?.ip_address], [OFFICE, OFFICE]);
});

test("a flood of addresses fills the record with 60 entries a minute and hides no visit that was let in", async () => {
	app.clock.set("2026-11-21T12:07:00.000Z");
	for (let index = 0; index < 70; index++) await status(`2001:db8:5::${index.toString(16)}`);
	assert.equal((await audit()).denied_count, 60);
	await at.call("POST /patterns", { pattern: "192.0.2.0/24", pattern_type: "cidr" });
	assert.equal(await status(outside.from), 200);
	const [last] = (await audit()).attempts;
	assert.deepEqual([last?.ip_address, last?.matched_pattern], [outside.from, "192.0.2.0/24"]);
});

test("the record is kept for 90 days, by a schedule of the service", async () => {
	await status(outside.from);
	await app.jobs.runDue();
	for (const [now, expected] of Object.entries({ "2027-02-19T11:00:00.000Z": 1, "2027-02-20T12:00:00.000Z": 0 })) {
		app.clock.set(now);
		await app.jobs.runDue();
		at = allowlistClient(app, await app.signIn(owner.email), guarded);
		const kept = (await denied()).attempts.filter(({ ip_address: ip }) => ip === outside.from);
		assert.equal(kept.length, expected, now);
	}
});
