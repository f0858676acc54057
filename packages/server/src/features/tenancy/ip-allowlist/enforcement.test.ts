import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { type AccountsApp, accountsApp, password, type SignedIn } from "../../../../test/support/accounts-app.ts";
import { allowlistClient, OFFICE, OUTSIDE } from "../../../../test/support/allowlist-client.ts";
import { openIpAllowlists } from "./index.ts";

const NOT_ALLOWED = "Access from this IP address is not allowed";
const scopes = ["stats:read", "sites:read", "accounts:read"];

describe("Enforcement of IP allowlists", () => {
	let app: AccountsApp;
	let owner: SignedIn;
	let root: SignedIn;
	/** Without a list. */
	let free: string;
	/** With a list that covers the office alone. */
	let guarded: string;
	let at: ReturnType<typeof allowlistClient>;
	let names = 0;

	before(async () => {
		app = await accountsApp();
		root = await app.user("Root", "superadmin");
	});
	beforeEach(async () => {
		app.clock.set("2026-11-21T12:00:00.000Z");
		names += 1;
		owner = await app.user(`Ann${names}`);
		free = await app.site(owner);
		guarded = await app.site(owner);
		at = allowlistClient(app, owner, guarded);
		await at.allow(OFFICE);
	});
	after(() => app.close());

	const outside = { from: OUTSIDE };
	const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id).sort();

	test("a request that names the site is refused from any other address", async () => {
		const routes: [route: string, body?: object][] = [
			[`GET /sites/${guarded}`],
			[`PATCH /sites/${guarded}`, { name: "Mine" }],
			[`GET /sites/${guarded}/pixel`],
			[`POST /sites/${guarded}/domains`, { domain: "shop.example" }],
			[`GET /blocklist-ips?account_id=${guarded}`],
			[`GET /ip-allowlist/settings?account_id=${guarded}`],
			[`PUT /ip-allowlist/settings?account_id=${guarded}`, {}],
			[`POST /ip-allowlist/patterns?account_id=${guarded}`, { pattern: OUTSIDE }],
		];
		for (const [route, body] of routes) {
			const answer = await at.ask(route, body, outside);
			assert.deepEqual([answer.status, answer.code, answer.message], [403, "forbidden", NOT_ALLOWED], route);
			assert.deepEqual(answer.detail, [{ field: "ip_address", message: OUTSIDE, type: "ip_not_allowed" }], route);
			assert.notEqual((await at.ask(route.replace(guarded, free), body, outside)).status, 403, route);
		}
		assert.equal((await at.ask(`GET /sites/${guarded}`)).data.name, "Shop");
	});

	test("the same address counts in all its forms, and no neighbour of it does", async () => {
		await at.call("POST /patterns", { pattern: "2001:db8:0:1::/64", pattern_type: "cidr" });
		const status = async (from: string) => (await at.ask(`GET /sites/${guarded}`, undefined, { from })).status;
		for (const from of [OFFICE, `::ffff:${OFFICE}`, "::FFFF:CB00:7107", "2001:DB8::1:0:0:0:9", "2001:db8:0:1::%eth0"]) {
			assert.equal(await status(from), 200, from);
		}
		for (const from of [
			"203.0.113.70",
			"::cb00:7107",
			"64:ff9b::cb00:7107",
			"2001:db8:0:2::9",
			"203.0.113.7:80",
			"x",
		]) {
			assert.equal(await status(from), 403, from);
		}
	});

	test("forged headers say nothing about the address", async () => {
		for (const name of ["x-forwarded-for", "x-real-ip", "forwarded", "cf-connecting-ip", "true-client-ip"]) {
			const headers = { ...owner.headers, [name]: name === "forwarded" ? `for=${OFFICE}` : OFFICE };
			assert.equal((await at.ask(`GET /sites/${guarded}`, undefined, { headers, from: OUTSIDE })).status, 403, name);
		}
	});

	test("sessions and keys are held to the list as its settings say", async () => {
		const key = await at.key(scopes);
		const seen = async () => {
			const session = await at.ask(`GET /sites/${guarded}`, undefined, outside);
			const withKey = await at.ask(`GET /sites/${guarded}`, undefined, { headers: key, from: OUTSIDE });
			return [session.status, withKey.status];
		};
		const set = (dashboard: boolean, tokens: boolean) =>
			at.call("PUT /settings", {
				is_enabled: true,
				enforce_for_dashboard: dashboard,
				enforce_for_api_tokens: tokens,
			});
		assert.deepEqual(await seen(), [403, 403]);
		await set(true, false);
		assert.deepEqual(await seen(), [403, 200]);
		await set(false, true);
		assert.deepEqual(await seen(), [200, 403]);
		await set(false, false);
		assert.deepEqual(await seen(), [200, 200]);
		await at.call("PUT /settings", { is_enabled: false });
		assert.deepEqual(await seen(), [200, 200]);
	});

	test("a change counts from the next request on", async () => {
		const status = async () => (await at.ask(`GET /sites/${guarded}`, undefined, outside)).status;
		const { id } = (await at.call("POST /patterns", { pattern: OUTSIDE })).data;
		assert.equal(await status(), 200);
		await at.call(`PATCH /patterns/${id}`, { is_active: false });
		assert.equal(await status(), 403);
		await at.call(`PATCH /patterns/${id}`, { is_active: true });
		assert.equal(await status(), 200);
		await at.call(`DELETE /patterns/${id}`);
		assert.equal(await status(), 403);
	});

	test("another process learns of a change at its next look", async () => {
		const elsewhere = await openIpAllowlists({ metadata: app.metadata, clock: app.clock });
		const visit = { credential: "session", userId: owner.id, isSuperadmin: false, userAgent: undefined } as const;
		const opens = () => [guarded, free].map((site) => elsewhere.policy.opens(site, { ...visit, ip: OUTSIDE }));
		assert.deepEqual(opens(), [false, true]);
		await at.call("POST /patterns", { pattern: OUTSIDE });
		await elsewhere.allowlists.refresh();
		assert.deepEqual(opens(), [true, true]);
		await at.call("PUT /settings", {});
		await elsewhere.allowlists.refresh();
		assert.deepEqual(opens(), [true, true]);
		elsewhere.stop();
	});

	test("lists of several sites leave the site out", async () => {
		const { data: scoped } = await at.ask("POST /api-tokens", { name: "one", scopes, account_ids: [guarded] });
		const key = await at.key(scopes);
		assert.deepEqual(scoped.account_ids, [guarded]);
		for (const headers of [owner.headers, key]) {
			const from = async (address: string) => {
				const ask = async (route: string) => (await at.ask(route, undefined, { headers, from: address })).data;
				return {
					sites: ids((await ask("GET /sites")).sites),
					shut: (await ask("GET /sites")).ip_filtered_accounts,
					user: (await ask("GET /users/me")).account_ids,
					me: (await ask("GET /auth/me")).account_ids,
					tokens: (await ask("GET /api-tokens")).tokens.map((token: { account_ids: string[] }) => token.account_ids),
					token: (await ask(`GET /api-tokens/${scoped.id}`)).account_ids,
				};
			};
			const all = [free, guarded].sort();
			assert.deepEqual(await from(OFFICE), {
				sites: all,
				shut: [],
				user: all,
				me: all,
				tokens: [all, [guarded]],
				token: [guarded],
			});
			const one = [free];
			assert.deepEqual(await from(OUTSIDE), {
				sites: one,
				shut: [guarded],
				user: one,
				me: one,
				tokens: [one, []],
				token: [],
			});
		}
	});

	test("a key for the site is not made from elsewhere", async () => {
		const answer = await at.ask("POST /api-tokens", { name: "k", scopes, account_ids: [free, guarded] }, outside);
		assert.deepEqual([answer.status, answer.message], [403, NOT_ALLOWED]);
		assert.equal((await at.ask("POST /api-tokens", { name: "k", scopes, account_ids: [free] }, outside)).status, 201);
		const forAll = await at.ask("POST /api-tokens", { name: "k", scopes }, outside);
		assert.deepEqual([forAll.status, forAll.message], [403, NOT_ALLOWED]);
		assert.equal((await at.ask("POST /api-tokens", { name: "k", scopes })).status, 201);
	});

	test("a list out of reach is neither told nor asked by naming its site", async () => {
		const stranger = await app.user(`Nosy${names}`);
		const body = { name: "k", scopes, account_ids: [guarded] };
		const answer = await at.ask("POST /api-tokens", body, { headers: stranger.headers, from: OUTSIDE });
		assert.deepEqual([answer.status, answer.message], [403, `Access denied to account: ${guarded}`]);
		assert.equal((await at.call("GET /audit?denied_only=true")).data.total, 0);
	});

	test("a sign-in names the sites that its address shuts", async () => {
		const signIn = async (email: string, from: string) =>
			(await at.ask("POST /auth/token", { email, password }, { headers: {}, from })).data;
		const away = await signIn(owner.email, OUTSIDE);
		assert.deepEqual([away.user.account_ids, away.ip_filtered_accounts, away.client_ip], [[free], [guarded], OUTSIDE]);
		const here = await signIn(owner.email, OFFICE);
		assert.deepEqual([here.user.account_ids, here.ip_filtered_accounts], [[free, guarded].sort(), []]);
		const { attempts } = (await at.call("GET /audit?denied_only=true")).data;
		assert.deepEqual(
			attempts.map((attempt: { user_email: string; ip_address: string }) => [attempt.user_email, attempt.ip_address]),
			[[owner.email, OUTSIDE]],
		);
		assert.deepEqual((await signIn(root.email, OUTSIDE)).ip_filtered_accounts, []);
	});

	test("superadmins pass and are recorded, their keys do not pass", async () => {
		const asRoot = allowlistClient(app, root, guarded);
		assert.equal((await asRoot.ask(`GET /sites/${guarded}`, undefined, outside)).status, 200);
		assert.ok(ids((await asRoot.ask("GET /sites", undefined, outside)).data.sites).includes(guarded));
		const [attempt] = (await at.call("GET /audit")).data.attempts.filter(
			(row: { user_email: string }) => row.user_email === root.email,
		);
		assert.deepEqual([attempt.access_granted, attempt.ip_address, attempt.matched_pattern], [true, OUTSIDE, null]);
		const key = await asRoot.key(scopes);
		assert.equal((await at.ask(`GET /sites/${guarded}`, undefined, { headers: key, from: OUTSIDE })).status, 403);
	});

	test("a site out of reach, too low a role and a missing scope are told before the address, and record nothing", async () => {
		const stranger = await app.user(`Stranger${names}`);
		const away = await at.ask(`GET /sites/${guarded}`, undefined, { headers: stranger.headers, from: OUTSIDE });
		assert.equal(away.message, `Access denied to account: ${guarded}`);
		const key = await at.key(["stats:read"]);
		const narrow = await at.ask(`GET /sites/${guarded}`, undefined, { headers: key, from: OUTSIDE });
		assert.equal(narrow.message, "Required scope: sites:read");
		assert.equal((await at.call("GET /audit?denied_only=true")).data.total, 0);
	});

	test("visits are recorded once a minute for each caller, address and outcome", async () => {
		const key = await at.key(scopes);
		const agent = { ...owner.headers, "user-agent": `curl/8 ${"x".repeat(400)}` };
		app.clock.set("2026-11-21T12:05:00.000Z");
		for (let round = 0; round < 3; round++) {
			await at.ask(`GET /sites/${guarded}`, undefined, { headers: agent, from: OUTSIDE });
			await at.ask(`GET /sites/${guarded}`, undefined, { headers: key, from: OUTSIDE });
		}
		app.clock.set("2026-11-21T12:06:00.000Z");
		await at.ask(`GET /sites/${guarded}`, undefined, { headers: key, from: OUTSIDE });
		const { attempts, total, denied_count: denied } = (await at.call("GET /audit?denied_only=true")).data;
		assert.deepEqual([total, denied, attempts.length], [3, 3, 3]);
		const { id, user_agent: userAgent, ...first } = attempts[2];
		assert.equal(typeof id, "number");
		assert.equal(userAgent.length, 300);
		assert.deepEqual(first, {
			account_id: guarded,
			user_id: owner.id,
			user_email: owner.email,
			ip_address: OUTSIDE,
			auth_type: "jwt",
			access_granted: false,
			matched_pattern_id: null,
			matched_pattern: null,
			created_at: "2026-11-21T12:05:00.000Z",
		});
		assert.deepEqual(
			attempts.map((attempt: { auth_type: string }) => attempt.auth_type),
			["api_key", "api_key", "jwt"],
		);
		const all = (await at.call("GET /audit")).data;
		const page = (await at.call("GET /audit?limit=1&offset=1")).data;
		assert.ok(all.total > 3);
		assert.deepEqual([page.total, page.attempts], [all.total, [all.attempts[1]]]);
		const granted = all.attempts.filter((attempt: { access_granted: boolean }) => attempt.access_granted);
		assert.deepEqual([granted[0].matched_pattern, granted[0].ip_address], [OFFICE, OFFICE]);
		assert.deepEqual((await at.call("GET /audit?limit=1001")).faults, ["query.limit"]);
	});

	test("a flood of addresses fills the record with 60 entries a minute and hides no visit that was let in", async () => {
		for (let index = 0; index < 70; index++) {
			await at.ask(`GET /sites/${guarded}`, undefined, { from: `2001:db8:5::${index.toString(16)}` });
		}
		assert.equal((await at.call("GET /audit", undefined)).data.denied_count, 60);
		await at.call("POST /patterns", { pattern: "192.0.2.0/24", pattern_type: "cidr" });
		assert.equal((await at.ask(`GET /sites/${guarded}`, undefined, outside)).status, 200);
		const [last] = (await at.call("GET /audit")).data.attempts;
		assert.deepEqual([last.ip_address, last.matched_pattern], [OUTSIDE, "192.0.2.0/24"]);
	});

	test("the record is kept for 90 days", async () => {
		const lists = await openIpAllowlists({ metadata: app.metadata, clock: app.clock });
		await at.ask(`GET /sites/${guarded}`, undefined, outside);
		const denied = async () =>
			(await at.call("GET /audit?denied_only=true")).data.attempts.filter(
				(attempt: { ip_address: string }) => attempt.ip_address === OUTSIDE,
			).length;
		app.clock.set("2027-02-19T12:00:00.000Z");
		owner = await app.signIn(owner.email);
		at = allowlistClient(app, owner, guarded);
		await lists.dropOldAttempts();
		assert.equal(await denied(), 1);
		app.clock.advance(1);
		await lists.dropOldAttempts();
		assert.equal(await denied(), 0);
		lists.stop();
	});

	test("no address reaches the log", async () => {
		await at.ask(`GET /sites/${guarded}`, undefined, outside);
		assert.ok(!/203\.0\.113|192\.0\.2/.test(app.logLines.join("")));
	});
});
