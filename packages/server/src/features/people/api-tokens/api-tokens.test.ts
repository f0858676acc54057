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
	const key = async (body: object = {}) => (await create({ name: "Key", ...body })).json().data.token as string;
	const byKey = (route: string, token: string) => app.call(route, { headers: { "x-api-key": token } });

	test("a new token shows its value once; the store holds a hash of it", async () => {
		const site = await app.site(ann);
		const response = await create({ name: " Nightly export " });
		assert.equal(response.statusCode, 201);
		assert.equal(response.headers["cache-control"], "no-store");
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
		const read = await app.call("GET /api-tokens/1", { as: ann });
		assert.deepEqual(read.json().data, record);
		const list = await app.call("GET /api-tokens", { as: ann });
		assert.deepEqual(list.json().data, { tokens: [record], total: 1 });
		const [row] = await listTokens(app.metadata, ann.id, { includeInactive: true, nowMs: 0 });
		assert.equal(JSON.stringify(row).includes(token), false);
		assert.match(row?.token_hash ?? "", /^[0-9a-f]{64}$/);
	});

	test("the scopes that a caller may grant", async () => {
		const ids = (response: { json(): { data: { scopes: { id: string }[] } } }) =>
			response.json().data.scopes.map(({ id }) => id);
		assert.deepEqual(ids(await app.call("GET /api-tokens/scopes", { as: ann })), [
			"stats:read",
			"sites:read",
			"accounts:read",
		]);
		const token = await key({ scopes: ["accounts:read"] });
		assert.deepEqual(ids(await byKey("GET /api-tokens/scopes", token)), ["accounts:read"]);
	});

	test("a key may be bound to sites that its owner reaches, to no other", async () => {
		const bob = await app.user("Bob");
		const mine = await app.site(ann, { name: "Mine" });
		await app.site(ann, { name: "Also mine" });
		const theirs = await app.site(bob, { name: "Theirs" });
		const bound = (await create({ name: "Key", account_ids: [mine, mine], scopes: ["sites:read"] })).json().data;
		assert.deepEqual([bound.account_ids, bound.all_sites], [[mine], false]);
		const list = await byKey("GET /sites", bound.token);
		assert.deepEqual(
			list.json().data.sites.map(({ id }: { id: string }) => id),
			["mine"],
		);
		assert.equal((await byKey("GET /sites/mine", bound.token)).statusCode, 200);
		assert.equal((await byKey("GET /sites/also-mine", bound.token)).statusCode, 403);
		for (const site of [theirs, "nowhere"]) {
			const refused = await create({ name: "Key", account_ids: [site] });
			assert.deepEqual(messageOf(refused), [403, `Access denied to account: ${site}`]);
		}
	});

	test("a key bound to one site learns of no other from the list of its owner's keys", async () => {
		const mine = await app.site(ann, { name: "Mine" });
		await app.site(ann, { name: "Secret plan" });
		await create({ name: "All" });
		const bound = (await create({ name: "Key", account_ids: [mine], scopes: ["accounts:read"] })).json().data;
		const seen = (await byKey("GET /api-tokens", bound.token)).json().data.tokens;
		assert.deepEqual(
			seen.map(({ name, account_ids }: { name: string; account_ids: string[] }) => [name, account_ids]),
			[
				["Key", ["mine"]],
				["All", ["mine"]],
			],
		);
	});

	test("the first credential decides alone", async () => {
		const both = { ...ann.headers, "x-api-key": "svc_unknown" };
		const response = await app.call("GET /auth/me", { headers: both });
		assert.deepEqual(
			[response.statusCode, response.json().error.code, response.json().error.message],
			[401, "unauthorized", "Invalid API key"],
		);
		const asBearer = await app.call("GET /auth/me", { headers: { authorization: `Bearer ${await key()}` } });
		assert.equal(asBearer.json().error.code, "token_invalid");
	});

	test("a revoked key answers 401 at its next request and stays listed on request", async () => {
		const token = await key({ scopes: ["accounts:read"] });
		app.clock.advance(5000);
		const revoked = await app.call("DELETE /api-tokens/1", { as: ann });
		assert.deepEqual(
			[revoked.statusCode, revoked.json().data.is_active, revoked.json().data.revoked_at],
			[200, false, "2026-11-21T12:00:05.000Z"],
		);
		assert.equal((await byKey("GET /auth/me", token)).json().error.message, "Invalid API key");
		app.clock.advance(5000);
		const again = await app.call("DELETE /api-tokens/1", { as: ann });
		assert.deepEqual(again.json().data, revoked.json().data);
		assert.equal((await app.call("GET /api-tokens", { as: ann })).json().data.total, 0);
		assert.equal((await app.call("GET /api-tokens?include_inactive=true", { as: ann })).json().data.total, 1);
	});

	test("a key ends on its day", async () => {
		const token = await key({ scopes: ["accounts:read"], expires_in_days: 1 });
		app.clock.advance(86_399_999);
		assert.equal((await byKey("GET /auth/me", token)).statusCode, 200);
		app.clock.advance(1);
		const { error } = (await byKey("GET /auth/me", token)).json();
		assert.deepEqual([error.code, error.message], ["token_expired", "Token has expired"]);
	});

	test("the last use is kept to the minute", async () => {
		const token = await key({ scopes: ["accounts:read"] });
		app.clock.advance(61_500);
		await byKey("GET /auth/me", token);
		const lastUsed = async () => (await app.call("GET /api-tokens/1", { as: ann })).json().data.last_used_at;
		assert.equal(await lastUsed(), "2026-11-21T12:01:00.000Z");
	});

	test("a key dies with its owner and loses the sites that the owner loses", async () => {
		const token = await key({ scopes: ["accounts:read"] });
		await updateUser(app.metadata, ann.id, { is_active: 0 });
		assert.equal((await byKey("GET /auth/me", token)).json().error.message, "Invalid API key");
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
		for (const id of ["x", "0", "99999999999"]) {
			assert.equal((await app.call(`GET /api-tokens/${id}`, { as: ann })).statusCode, 422, id);
		}
		assert.equal((await app.call("GET /api-tokens/7", { as: ann })).statusCode, 404);
	});

	test("revoked and expired keys are listed for a year, others for ever", async () => {
		const ids = async () =>
			(await listTokens(app.metadata, ann.id, { includeInactive: true, nowMs: app.clock.now() })).map(
				({ name }) => name,
			);
		await create({ name: "Revoked" });
		await create({ name: "Expired", expires_in_days: 1 });
		await create({ name: "Kept" });
		const [, , revoked] = await listTokens(app.metadata, ann.id, { includeInactive: true, nowMs: 0 });
		assert.equal((await app.call(`DELETE /api-tokens/${revoked?.id}`, { as: ann })).statusCode, 200);
		app.clock.advance(365 * DAY + 1);
		await dropEndedTokens(app);
		assert.deepEqual(await ids(), ["Kept", "Expired"]);
		app.clock.advance(2 * DAY);
		await dropEndedTokens(app);
		assert.deepEqual(await ids(), ["Kept"]);
	});
});
