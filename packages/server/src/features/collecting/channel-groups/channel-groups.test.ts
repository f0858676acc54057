import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { createSite, type Session, signIn } from "../../../../test/support/accounts.ts";
import { type TestApp, testApp } from "../../../../test/support/test-app.ts";
import { postgresSkip } from "../../../../test/support/test-schema.ts";

const NOW = "2026-11-21T12:00:00.000Z";
const DEFAULTS = 24;

const own = {
	channel_name: "Partners",
	source_pattern: "^acme$",
	medium_pattern: null,
	campaign_pattern: null,
	priority: 500,
	is_active: true,
};

for (const onPostgres of [false, true]) {
	const title = `channel rules (${onPostgres ? "PostgreSQL" : "SQLite"})`;
	describe(title, { skip: onPostgres && postgresSkip }, () => suite(onPostgres));
}

function suite(onPostgres: boolean): void {
	let app: TestApp;
	let ann: Session;
	let site: string;
	before(async () => {
		app = await testApp({ onPostgres });
		ann = await signIn(app);
	});
	after(() => app.close());
	beforeEach(async () => {
		site = await createSite(app, ann);
	});

	const call = async (route: string, body?: unknown) => {
		const [method = "GET", path = ""] = route.split(" ");
		const response = await app.inject({
			method: method as "GET",
			url: `/api/v1/channel-groups${path}${path.includes("?") ? "&" : "?"}account_id=${site}`,
			headers: ann.headers,
			...(body === undefined ? {} : { payload: body as object }),
		});
		return { status: response.statusCode, body: response.body === "" ? undefined : response.json() };
	};
	const add = async (rule: object = {}): Promise<number> => (await call("POST ", { ...own, ...rule })).body.data.id;
	const fault = async (route: string, body?: unknown) => {
		const { status, body: answer } = await call(route, body);
		return [status, answer.error.detail?.[0].field ?? answer.error.code];
	};

	test("of two drafts' changes at once, the one that comes after the activation is refused", async () => {
		const draft = await add({ is_active: false });
		const answers = await Promise.all(
			Array.from({ length: 6 }, () => call(`PATCH /${draft}?only_if_inactive=true`, { is_active: true })),
		);
		assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409, 409, 409]);
	});

	test("a site has at most 100 rules of its own, however many are added at once", async () => {
		const rules = Array.from({ length: 98 }, () => own);
		assert.equal((await call("POST /import", { version: 1, rules })).body.data.total_after, 98);
		const answers = await Promise.all(Array.from({ length: 5 }, () => call("POST ", own)));
		assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 201, 409, 409, 409]);
		assert.deepEqual(await fault("POST ", { ...own, is_active: false }), [409, "conflict"]);
	});

	if (onPostgres) return;

	test("a rule is added, read, changed and removed", async () => {
		const added = await call("POST ", { channel_name: " Partners ", source_pattern: "^acme$" });
		assert.equal(added.status, 201);
		const { id, ...rule } = added.body.data;
		assert.ok(id > 1000);
		assert.deepEqual(rule, {
			account_id: site,
			channel_name: "Partners",
			source_pattern: "^acme$",
			medium_pattern: null,
			campaign_pattern: null,
			priority: 50,
			is_active: true,
			is_default: false,
			created_at: NOW,
			updated_at: NOW,
		});
		assert.deepEqual((await call(`GET /${id}`)).body.data, { id, ...rule });
		const changed = await call(`PATCH /${id}`, { priority: 900, medium_pattern: "cpc", source_pattern: null });
		assert.equal(changed.status, 200);
		assert.deepEqual(changed.body.data, {
			id,
			...rule,
			priority: 900,
			medium_pattern: "cpc",
			source_pattern: null,
		});
		assert.equal((await call(`PATCH /${id}`, {})).status, 200);
		assert.deepEqual(await call(`DELETE /${id}`), { status: 204, body: undefined });
		assert.deepEqual(await fault(`DELETE /${id}`), [404, "not_found"]);
		assert.deepEqual(await fault(`GET /${id}`), [404, "not_found"]);
		assert.deepEqual(await fault(`PATCH /${id}`, {}), [404, "not_found"]);
	});

	test("the list shows own rules by priority, then the defaults, and drafts when asked", async () => {
		const low = await add({ priority: 10 });
		const first = await add({ priority: 70 });
		const second = await add({ priority: 70 });
		const draft = await add({ priority: 80, is_active: false });
		const list = (await call("GET ")).body.data;
		const ids = list.rules.map((rule: { id: number }) => rule.id);
		assert.deepEqual(ids.slice(0, 5), [first, second, low, 950, 900]);
		assert.deepEqual([list.total, list.default_count, list.custom_count], [3 + DEFAULTS, DEFAULTS, 3]);
		const all = (await call("GET ?include_inactive=true&include_defaults=false")).body.data;
		assert.deepEqual(
			all.rules.map((rule: { id: number }) => rule.id),
			[draft, first, second, low],
		);
		assert.deepEqual([all.total, all.default_count, all.custom_count], [4, 0, 4]);
	});

	test("the default rules can be read and not changed", async () => {
		const direct = (await call("GET /100")).body.data;
		assert.deepEqual(
			[direct.channel_name, direct.account_id, direct.is_default, direct.source_pattern],
			["Direct", null, true, "^\\(?direct\\)?$"],
		);
		assert.deepEqual(await fault("PATCH /100", { priority: 1 }), [403, "forbidden"]);
		assert.deepEqual(await fault("DELETE /100?only_if_inactive=true"), [403, "forbidden"]);
		assert.deepEqual(await fault("GET /101"), [404, "not_found"]);
	});

	test("a faulty rule answers 422 on its field, and a change that would leave no pattern changes nothing", async () => {
		for (const [rule, field] of [
			[{ channel_name: "" }, "body.channel_name"],
			[{ channel_name: "x".repeat(51) }, "body.channel_name"],
			[{ channel_name: "a\u0000b" }, "body.channel_name"],
			[{ source_pattern: "(" }, "body.source_pattern"],
			[{ medium_pattern: "(?=x)" }, "body.medium_pattern"],
			[{ campaign_pattern: "(a)\\1" }, "body.campaign_pattern"],
			[{ source_pattern: "x".repeat(256) }, "body.source_pattern"],
			[{ source_pattern: "(.{1,500}){2}" }, "body.source_pattern"],
			[{ source_pattern: " ", medium_pattern: "" }, "body.source_pattern"],
			[{ source_pattern: 5 }, "body.source_pattern"],
			[{ priority: 1001 }, "body.priority"],
			[{ priority: -1 }, "body.priority"],
			[{ priority: null }, "body.priority"],
			[{ is_active: "true" }, "body.is_active"],
		] as const) {
			assert.deepEqual(await fault("POST ", { ...own, ...rule }), [422, field], JSON.stringify(rule));
		}
		assert.equal((await call("POST ", { medium_pattern: "x" })).body.error.detail[0].field, "body.channel_name");
		const id = await add();
		assert.deepEqual(await fault(`PATCH /${id}`, { source_pattern: null }), [422, "body.source_pattern"]);
		assert.deepEqual(await fault(`PATCH /${id}`, { channel_name: null }), [422, "body.channel_name"]);
		assert.equal((await call(`GET /${id}`)).body.data.source_pattern, "^acme$");
		assert.deepEqual(await fault("GET /x"), [422, "path.rule_id"]);
		assert.deepEqual(await fault("GET /2147483648"), [422, "path.rule_id"]);
	});

	test("only_if_inactive leaves a live rule alone", async () => {
		const live = await add();
		const draft = await add({ is_active: false });
		assert.deepEqual(await fault(`PATCH /${live}?only_if_inactive=true`, { priority: 1 }), [409, "rule_is_live"]);
		assert.deepEqual(await fault(`DELETE /${live}?only_if_inactive=true`), [409, "rule_is_live"]);
		assert.equal((await call(`GET /${live}`)).body.data.priority, 500);
		const activated = await call(`PATCH /${draft}?only_if_inactive=true`, { is_active: true });
		assert.equal(activated.body.data.is_active, true);
		assert.deepEqual(await fault(`DELETE /${draft}?only_if_inactive=true`), [409, "rule_is_live"]);
		assert.deepEqual(await fault("DELETE /999999?only_if_inactive=true"), [404, "not_found"]);
		const other = await add({ is_active: false });
		assert.equal((await call(`DELETE /${other}?only_if_inactive=true`)).status, 204);
	});

	test("a test says which channel a visit would get, and by which rule", async () => {
		const ask = async (body: object) => {
			const { channel, matched_rule: rule } = (await call("POST /test", body)).body.data;
			return [channel, rule?.id ?? null];
		};
		assert.deepEqual(await ask({ source: "Google", medium: "CPC" }), ["Paid Search", 950]);
		assert.deepEqual(await ask({ source: "acme", medium: "odd" }), ["Unassigned", null]);
		const id = await add();
		assert.deepEqual(await ask({ source: "ACME", medium: "odd" }), ["Partners", id]);
		const draft = await add({
			channel_name: "Autumn",
			source_pattern: null,
			campaign_pattern: "autumn",
			priority: 900,
		});
		assert.deepEqual(await ask({ source: "acme", campaign: "big-autumn-sale" }), ["Autumn", draft]);
		await call(`PATCH /${draft}`, { is_active: false });
		assert.deepEqual(await ask({ source: "acme", campaign: "big-autumn-sale" }), ["Partners", id]);
		assert.deepEqual(await ask({ campaign: "autumn", include_inactive: true }), ["Autumn", draft]);
		assert.deepEqual(await ask({}), ["Unassigned", null]);
	});

	test("a rule that is not saved is tried on many visits, in the place of the one that it stands for", async () => {
		const visits = [{ source: "acme" }, { source: "google", medium: "organic" }, { source: "odd" }];
		const channels = async (body: object) => (await call("POST /test", { visits, ...body })).body.data.channels;
		assert.deepEqual(await channels({}), ["Unassigned", "Organic Search", "Unassigned"]);
		const rule = { channel_name: "Search", source_pattern: "^(acme|google)$" };
		assert.deepEqual(await channels({ rule }), ["Search", "Search", "Unassigned"]);
		const tried = await call("POST /test", { source: "acme", rule });
		assert.deepEqual(
			[tried.body.data.matched_rule.id, tried.body.data.matched_rule.is_active, tried.body.data.channels],
			[0, true, undefined],
		);
		const id = await add({ priority: 50 });
		assert.deepEqual(await channels({ rule }), ["Partners", "Search", "Unassigned"]);
		assert.deepEqual(await channels({ rule: { ...rule, priority: 51 } }), ["Search", "Search", "Unassigned"]);
		assert.deepEqual(await channels({ rule: { ...rule, id } }), ["Search", "Search", "Unassigned"]);
		assert.deepEqual(await channels({}), ["Partners", "Organic Search", "Unassigned"]);
		assert.deepEqual(await fault("POST /test", { rule: { ...rule, medium_pattern: "(" } }), [
			422,
			"body.rule.medium_pattern",
		]);
		assert.deepEqual(await fault("POST /test", { rule: { channel_name: "X" } }), [422, "body.rule.source_pattern"]);
		assert.equal((await call("GET ?include_defaults=false")).body.data.total, 1);
	});
}
