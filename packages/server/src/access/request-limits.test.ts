import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import type { Tables } from "../../migrations/metadata/tables/index.ts";
import { type AccountsApp, accountsApp, type SignedIn } from "../../test/support/accounts-app.ts";

type Answer = Awaited<ReturnType<AccountsApp["call"]>>;
type Plan = "free" | "growth" | "scale" | "enterprise";

/** Limit, what remains, and seconds until the window ends, by a clock that began the window. */
const limitsOf = ({ headers }: Answer, now: number) => [
	Number(headers["x-ratelimit-limit"]),
	Number(headers["x-ratelimit-remaining"]),
	Number(headers["x-ratelimit-reset"]) - now / 1000,
];

describe("requests a minute", () => {
	let app: AccountsApp;
	let ann: SignedIn;
	let bob: SignedIn;
	let root: SignedIn;

	before(async () => {
		app = await accountsApp({ env: { RATE_LIMIT_ENABLED: "true" } });
		ann = await app.user("Ann");
		bob = await app.user("Bob");
		root = await app.user("Root", "superadmin");
		await app.site(ann, { name: "Shop" });
		await app.site(bob, { name: "Blog" });
	});
	beforeEach(async () => {
		app.clock.advance(3_600_000);
		ann = await app.signIn(ann.email);
		bob = await app.signIn(bob.email);
		root = await app.signIn(root.email);
		app.clock.advance(60_000);
		await setPlan("ann", "growth");
		await setPlan("bob", "growth");
	});
	after(() => app.close());

	const setPlan = (slug: string, plan: Plan) =>
		app.metadata
			.withTables<Tables>()
			.updateTable("organizations")
			.set({ plan_tier: plan })
			.where("slug", "=", slug)
			.execute();

	const limits = (answer: Answer) => limitsOf(answer, app.clock.now());

	async function key(as: SignedIn): Promise<{ headers: Record<string, string> }> {
		const body = { name: "test", scopes: ["stats:read", "sites:read"], account_ids: ["shop"] };
		const response = await app.call("POST /api-tokens", { as, body });
		assert.equal(response.statusCode, 201, response.body);
		return { headers: { "x-api-key": response.json().data.token } };
	}

	/** Uses a bucket up to its last request. */
	async function repeat(times: number, ask: () => Promise<Answer>): Promise<Answer> {
		let last = await ask();
		for (let at = 1; at < times; at++) last = await ask();
		return last;
	}

	test("a user may send as many requests a minute as the plan allows, also at once, and each answer says how many are left", async () => {
		const ask = () => app.call("GET /sites", { as: ann });
		assert.deepEqual(limits(await ask()), [240, 239, 60]);
		app.clock.advance(20_500);
		assert.deepEqual(limits(await ask()), [240, 238, 39.5]);
		const answers = await Promise.all(Array.from({ length: 250 }, ask));
		const [last, ...others] = answers.filter(({ statusCode }) => statusCode === 200).reverse();
		assert.equal(others.length, 237);
		assert.deepEqual(last && [...limits(last), last.headers["retry-after"]], [240, 0, 39.5, undefined]);
		const refused = await ask();
		assert.deepEqual([refused.statusCode, ...limits(refused)], [429, 240, 0, 39.5]);
		assert.equal(refused.headers["retry-after"], "40");
		assert.deepEqual(refused.json().error, {
			code: "rate_limit_exceeded",
			message: "Too many requests. Try again in 40 seconds.",
		});
		// Another plan holds from the next request on.
		await setPlan("ann", "enterprise");
		assert.equal((await ask()).statusCode, 200);
		await setPlan("ann", "growth");
		app.clock.advance(39_499);
		const atTheEnd = await ask();
		assert.deepEqual([atTheEnd.statusCode, atTheEnd.headers["retry-after"]], [429, "1"]);
		app.clock.advance(1);
		const next = await ask();
		assert.deepEqual([next.statusCode, ...limits(next)], [200, 240, 239, 60]);
	});

	test("users behind one address do not use up each other's requests", async () => {
		await repeat(3, () => app.call("GET /sites", { as: ann }));
		assert.deepEqual(limits(await app.call("GET /sites", { as: bob })), [240, 239, 60]);
	});

	test("a user counts once, from whichever address and with whichever session", async () => {
		const again = await app.signIn(ann.email);
		const from = (remoteAddress: string, token: string) =>
			app.inject({ url: "/api/v1/sites", remoteAddress, headers: { authorization: `Bearer ${token}` } });
		assert.deepEqual(limits(await from("192.0.2.1", ann.token)), [240, 239, 60]);
		assert.deepEqual(limits(await from("192.0.2.2", again.token)), [240, 238, 60]);
	});

	test("a key has a bucket of its own, and another one for reports with half of the plan", async () => {
		const [first, second] = [await key(ann), await key(ann)];
		app.clock.advance(60_000);
		const ask = (path: string, as: Awaited<ReturnType<typeof key>>) => app.call(`GET ${path}`, { as });
		assert.deepEqual(limits(await ask("/sites", first)), [240, 239, 60]);
		assert.deepEqual(limits(await ask("/stats/overview?site_id=shop", first)), [120, 119, 60]);
		assert.deepEqual(limits(await ask("/stats/overview?site_id=shop", first)), [120, 118, 60]);
		assert.deepEqual(limits(await ask("/bot-stats/overview?site_id=shop", first)), [240, 238, 60]);
		assert.deepEqual(limits(await ask("/stats/overview?site_id=shop", second)), [120, 119, 60]);
		assert.deepEqual(limits(await app.call("GET /stats/overview?site_id=shop", { as: ann })), [240, 239, 60]);
		const last = await repeat(118, () => ask("/stats/overview?site_id=shop", first));
		assert.deepEqual([last.statusCode, ...limits(last)], [200, 120, 0, 60]);
		assert.equal((await ask("/stats/overview?site_id=shop", first)).statusCode, 429);
		assert.equal((await ask("/sites", first)).statusCode, 200);
	});

	test("the plan is that of the site's organization, then the caller's, then the default one", async () => {
		await setPlan("bob", "scale");
		const blog = "/stats/overview?site_id=blog";
		assert.deepEqual(limits(await app.call(`GET ${blog}`, { as: bob })), [480, 479, 60]);
		assert.deepEqual(limits(await app.call("GET /sites", { as: bob })), [480, 478, 60]);
		assert.deepEqual(limits(await app.call(`GET ${blog}`, { as: root })), [480, 479, 60]);
		assert.deepEqual(limits(await app.call("GET /sites", { as: root })), [10_000, 9998, 60]);
	});

	test("of several organizations the named one decides, as long as it exists", async () => {
		const created = await app.call("POST /organizations", { as: root, body: { name: "Big" } });
		assert.equal(created.statusCode, 201, created.body);
		await app.call("POST /organizations/big/members", { as: root, body: { user_id: ann.id, role: "member" } });
		await setPlan("big", "scale");
		assert.deepEqual(limits(await app.call("GET /sites", { as: ann })), [480, 479, 60]);
		await app.call("DELETE /organizations/big", { as: root, body: { name: "Big" } });
		assert.deepEqual(limits(await app.call("GET /sites", { as: ann })), [240, 238, 60]);
	});

	test("a site out of reach lends its plan to nobody, and the refused request counts", async () => {
		await setPlan("bob", "enterprise");
		const foreign = await app.call("GET /stats/overview?site_id=blog", { as: ann });
		assert.deepEqual([foreign.statusCode, ...limits(foreign)], [403, 240, 239, 60]);
		const unknown = await app.call("GET /stats/overview?site_id=nowhere", { as: ann });
		assert.deepEqual([unknown.statusCode, ...limits(unknown)], [404, 240, 238, 60]);
		const cookies = { svc_access_token: ann.token };
		const forged = await app.call("POST /sites", { cookies, body: { name: "Forged" } });
		assert.deepEqual([forged.statusCode, ...limits(forged)], [403, 240, 237, 60]);
	});

	test("a batch counts as one request", async () => {
		const query = { endpoint: "/stats/overview", params: { site_id: "shop" } };
		const body = { queries: ["a", "b", "c"].map((id) => ({ id, ...query })) };
		const first = await app.call("POST /batch", { as: ann, body });
		assert.equal(first.json().meta.successful, 3);
		assert.deepEqual(limits(first), [240, 239, 60]);
		assert.deepEqual(limits(await app.call("POST /batch", { as: ann, body })), [240, 238, 60]);
	});

	describe("without a valid credential", () => {
		let host = 0;
		let remoteAddress: string;
		beforeEach(() => {
			host += 1;
			remoteAddress = `198.51.100.${host}`;
		});
		const from = (address: string, url: string, headers = {}) =>
			app.inject({ url: `/api/v1${url}`, remoteAddress: address, headers });

		test("an address may send 60 requests a minute without a valid credential, whatever they are refused for", async () => {
			const ways: [string, Record<string, string>, number][] = [
				["/sites", {}, 401],
				["/sites", { "x-api-key": "svc_wrong" }, 401],
				["/sites", { authorization: "Bearer wrong" }, 401],
				["/sites", { cookie: "svc_access_token=wrong" }, 401],
				["/stats/overview?site_id=shop", { "x-api-key": "svc_wrong" }, 401],
				["/nowhere", {}, 404],
				["/sites/%c3%28", {}, 400],
			];
			for (const [at, [url, headers, status]] of ways.entries()) {
				const answer = await from(remoteAddress, url, headers);
				assert.deepEqual([answer.statusCode, ...limits(answer)], [status, 60, 59 - at, 60]);
			}
			const wrongVerb = await app.inject({ method: "PUT", url: "/api/v1/sites", remoteAddress });
			assert.deepEqual([wrongVerb.statusCode, ...limits(wrongVerb)], [405, 60, 52, 60]);
			await repeat(52, () => from(remoteAddress, "/sites"));
			for (const [url, headers] of ways) {
				const answer = await from(remoteAddress, url, headers);
				assert.deepEqual([answer.statusCode, ...limits(answer)], [429, 60, 0, 60]);
				assert.equal(answer.headers["retry-after"], "60");
				assert.equal(answer.headers["www-authenticate"], undefined);
			}
			const login = { method: "POST", url: "/api/v1/auth/token", remoteAddress, payload: {} } as const;
			assert.equal((await app.inject(login)).statusCode, 429);
			const valid = await from(remoteAddress, "/sites", ann.headers);
			assert.deepEqual([valid.statusCode, ...limits(valid)], [200, 240, 239, 60]);
			app.clock.advance(60_000);
			assert.deepEqual(limits(await from(remoteAddress, "/sites")), [60, 59, 60]);
		});

		test("what is outside the limits shows what is left to the address, and takes nothing", async () => {
			await from(remoteAddress, "/sites");
			const preflight = { origin: "https://shop.example", "access-control-request-method": "GET" };
			const options = { method: "OPTIONS", url: "/api/v1/sites", remoteAddress, headers: preflight } as const;
			for (let times = 0; times < 3; times++) {
				const answer = await app.inject(options);
				assert.deepEqual([answer.statusCode, ...limits(answer)], [204, 60, 59, 60]);
			}
			const foreign = await from(remoteAddress, "/sites", { origin: "https://shop.example" });
			assert.equal(
				foreign.headers["access-control-expose-headers"],
				"X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, WWW-Authenticate, X-Request-ID",
			);
			assert.deepEqual(limits(foreign), [60, 58, 60]);
		});

		test("an address of the sixth version counts with its /64 network", async () => {
			const network = `2001:db8:0:${host.toString(16)}`;
			assert.deepEqual(limits(await from(`${network}::1`, "/sites")), [60, 59, 60]);
			assert.deepEqual(limits(await from(`${network}:ffff:ffff:ffff:ffff`, "/sites")), [60, 58, 60]);
			assert.deepEqual(limits(await from("2001:db8:0:ffff::1", "/sites")), [60, 59, 60]);
			assert.deepEqual(limits(await from(remoteAddress, "/sites")), [60, 59, 60]);
			assert.deepEqual(limits(await from(`::ffff:${remoteAddress}`, "/sites")), [60, 58, 60]);
		});
	});
});
