import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { sharedAccountsApp, userForEach } from "../../../../test/support/accounts-app.ts";
import { messageOf } from "../../../../test/support/refusals.ts";
import { updateUser } from "../users/index.ts";
import { dropEndedTokens, listTokens } from "./store.ts";

const DAY = 86_400_000;

describe("API tokens", () => {
	const app = sharedAccountsApp();
	const ann = userForEach(app, "Ann");

	const create = (body: object, as = ann) => app.call("POST /api-tokens", { as, body });
	const key = async (body: object = {}): Promise<string> =>
		(await create({ name: "Key", scopes: ["accounts:read"], ...body })).json().data.token;
	const byKey = (route: string, token: string) => app.call(route, { headers: { "x-api-key": token } });
	const me = async (token: string) => messageOf(await byKey("GET /auth/me", token));
	const read = async (route: string) => (await app.call(route, { as: ann })).json().data;
	const invalid = [401, "Invalid API key"];

	test("a new token shows its value once; the store holds a hash of it", async () => {
		const site = await app.site(ann);
		const response = await create({ name: " Nightly export " });
		assert.deepEqual([response.statusCode, response.headers["cache-control"]], [201, "no-store"]);
		const { token, ...record } = response.json().data;
		assert.match(token, /^svc_[A-Za-z0-9]{60}$/);
		assert.deepEqual(record, {
			id: 1,
			name: "Nightly export",
			token_prefix: token.slice(0, 8),
			scopes: ["stats:read"],
			account_ids: [site],
			all_sites: true,
			expires_at: null,
			last_used_at: null,
			is_active: true,
			revoked_at: null,
			created_at: "2026-11-21T12:00:00.000Z",
		});
		assert.deepEqual(await read("GET /api-tokens/1"), record);
		assert.deepEqual(await read("GET /api-tokens"), { tokens: [record], total: 1 });
		const [row] = await listTokens(app.metadata, ann.id, { includeInactive: true, nowMs: 0 });
		assert.ok(!JSON.stringify(row).includes(token));
		assert.match(row?.token_hash ?? "", /^[0-9a-f]{64}$/);
	});

	test("the scopes that a caller may grant", async () => {
		const ids = ({ scopes }: { scopes: { id: string }[] }) => scopes.map(({ id }) => id);
		assert.deepEqual(ids(await read("GET /api-tokens/scopes")), ["stats:read", "sites:read", "accounts:read"]);
		const byToken = await byKey("GET /api-tokens/scopes", await key());
		assert.deepEqual(ids(byToken.json().data), ["accounts:read"]);
	});

	test("a key may be bound to sites that its owner reaches, to no other, and learns of no other", async () => {
		const mine = await app.site(ann, { name: "Mine" });
		await app.site(ann, { name: "Secret plan" });
		const theirs = await app.site(await app.user("Bob"), { name: "Theirs" });
		await create({ name: "All" });
		const scopes = ["sites:read", "accounts:read"];
		const bound = (await create({ name: "Key", account_ids: [mine, mine], scopes })).json().data;
		assert.deepEqual([bound.account_ids, bound.all_sites], [["mine"], false]);
		const { sites } = (await byKey("GET /sites", bound.token)).json().data;
		assert.deepEqual(
			sites.map(({ id }: { id: string }) => id),
			["mine"],
		);
		assert.equal((await byKey("GET /sites/mine", bound.token)).statusCode, 200);
		assert.equal((await byKey("GET /sites/secret-plan", bound.token)).statusCode, 403);
		const { tokens } = (await byKey("GET /api-tokens", bound.token)).json().data;
		assert.deepEqual(
			tokens.map(({ name, account_ids }: { name: string; account_ids: string[] }) => `${name} ${account_ids}`),
			["Key mine", "All mine"],
		);
		for (const site of [theirs, "nowhere"]) {
			const refused = await create({ name: "Key", account_ids: [site] });
			assert.deepEqual(messageOf(refused), [403, `Access denied to account: ${site}`]);
		}
	});

	test("a revoked key answers 401 at its next request and stays listed on request", async () => {
		const token = await key();
		app.clock.advance(5000);
		const revoke = async () => (await app.call("DELETE /api-tokens/1", { as: ann })).json().data;
		const revoked = await revoke();
		assert.deepEqual([revoked.is_active, revoked.revoked_at], [false, "2026-11-21T12:00:05.000Z"]);
		assert.deepEqual(await me(token), invalid);
		const both = { ...ann.headers, "x-api-key": token };
		assert.deepEqual(messageOf(await app.call("GET /auth/me", { headers: both })), invalid, "beside a session, too");
		app.clock.advance(5000);
		assert.deepEqual(await revoke(), revoked);
		assert.equal((await read("GET /api-tokens")).total, 0);
		assert.equal((await read("GET /api-tokens?include_inactive=true")).total, 1);
	});

	test("a key ends on its day, and with its owner; its last use is kept to the minute", async () => {
		const [short, long] = [await key({ expires_in_days: 1 }), await key()];
		app.clock.advance(61_500);
		assert.equal((await byKey("GET /auth/me", short)).statusCode, 200);
		assert.equal((await read("GET /api-tokens/1")).last_used_at, "2026-11-21T12:01:00.000Z");
		app.clock.set("2026-11-22T11:59:59.999Z");
		assert.equal((await byKey("GET /auth/me", short)).statusCode, 200);
		app.clock.advance(1);
		assert.deepEqual(await me(short), [401, "Token has expired"]);
		await updateUser(app.metadata, ann.id, { is_active: 0 });
		assert.deepEqual(await me(long), invalid);
	});

	test("faulty input is 422", async () => {
		const bodies = [
			{},
			{ name: "" },
			{ name: "x".repeat(101) },
			{ name: "x", scopes: [] },
			{ name: "x", scopes: ["write"] },
			{ name: "x", expires_in_days: 0 },
			{ name: "x", expires_in_days: 366 },
			{ name: "x", account_ids: "shop" },
		];
		for (const body of bodies) assert.equal((await create(body)).statusCode, 422, JSON.stringify(body));
	});

	test("revoked and expired keys are listed for a year, others for ever", async () => {
		const names = async () =>
			(await read("GET /api-tokens?include_inactive=true")).tokens.map(({ name }: { name: string }) => name);
		for (const body of [{ name: "Revoked" }, { name: "Expired", expires_in_days: 1 }, { name: "Kept" }]) {
			await create(body);
		}
		await app.call("DELETE /api-tokens/1", { as: ann });
		app.clock.advance(365 * DAY + 1);
		await dropEndedTokens(app);
		Object.assign(ann, await app.signIn(ann.email));
		assert.deepEqual(await names(), ["Kept", "Expired"]);
		app.clock.advance(2 * DAY);
		await dropEndedTokens(app);
		Object.assign(ann, await app.signIn(ann.email));
		assert.deepEqual(await names(), ["Kept"]);
	});
});
