import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createSite } from "../../../../test/support/accounts.ts";
import { type CollectingSite, collectingSite } from "../../../../test/support/collecting-site.ts";
import { postgresSkip } from "../../../../test/support/test-schema.ts";

const DEFAULTS = 24;
const patterns = { source_pattern: "^acme$", medium_pattern: null, campaign_pattern: null };
const own = { channel_name: "Partners", ...patterns, priority: 500, is_active: true };

const requests = ({ call, refusal }: Pick<CollectingSite, "call" | "refusal">) => ({
	call: (request: string, payload?: object) => call(request.replace(" ", " /channel-groups"), payload),
	refusal: (request: string, payload?: object) => refusal(request.replace(" ", " /channel-groups"), payload),
	add: async (rule: object = {}): Promise<number> => (await call("POST /channel-groups", { ...own, ...rule })).data.id,
});
const here = collectingSite();
const { call, refusal, add } = requests(here);

function testRaces(of: CollectingSite): void {
	const { call, refusal, add } = requests(of);
	const statuses = async (calls: readonly Promise<{ status: number }>[]) =>
		(await Promise.all(calls)).map(({ status }) => status).sort();

	test("of two drafts' changes at once, the one that comes after the activation is refused", async () => {
		const draft = await add({ is_active: false });
		const change = () => call(`PATCH /${draft}?only_if_inactive=true`, { is_active: true });
		assert.deepEqual(await statuses([1, 2, 3, 4, 5, 6].map(change)), [200, 409, 409, 409, 409, 409]);
	});

	test("a site has at most 100 rules of its own, however many are added at once", async () => {
		const rules = Array.from({ length: 98 }, () => own);
		assert.equal((await call("POST /import", { version: 1, rules })).data.total_after, 98);
		assert.deepEqual(await statuses([1, 2, 3, 4, 5].map(() => call("POST ", own))), [201, 201, 409, 409, 409]);
		assert.deepEqual(await refusal("POST ", { ...own, is_active: false }), [409, "conflict"]);
	});
}
testRaces(here);
describe("channel rules on PostgreSQL", { skip: postgresSkip }, () => testRaces(collectingSite({ onPostgres: true })));

test("a rule is added, read, changed and removed", async () => {
	const added = await call("POST ", { channel_name: " Partners ", source_pattern: "^acme$" });
	assert.equal(added.status, 201);
	const { id, ...rule } = added.data;
	assert.ok(id > 1000);
	const times = { created_at: "2026-11-21T12:00:00.000Z", updated_at: "2026-11-21T12:00:00.000Z" };
	assert.deepEqual(rule, { account_id: here.site, ...own, priority: 50, is_default: false, ...times });
	assert.deepEqual((await call(`GET /${id}`)).data, added.data);
	const changes = { priority: 900, medium_pattern: "cpc", source_pattern: null };
	assert.deepEqual((await call(`PATCH /${id}`, changes)).data, { id, ...rule, ...changes });
	assert.equal((await call(`PATCH /${id}`, {})).status, 200);
	assert.deepEqual(await call(`DELETE /${id}`), { status: 204 });
	for (const route of [`GET /${id}`, `PATCH /${id}`, `DELETE /${id}`]) {
		assert.deepEqual(await refusal(route, route.startsWith("PATCH") ? {} : undefined), [404, "not_found"], route);
	}
});

test("the list shows own rules by priority, then the defaults, and drafts when asked", async () => {
	const low = await add({ priority: 10 });
	const first = await add({ priority: 70 });
	const second = await add({ priority: 70 });
	const draft = await add({ priority: 80, is_active: false });
	const listed = async (query: string) => {
		const { rules, total, default_count, custom_count } = (await call(`GET ${query}`)).data;
		return [rules.map(({ id }: { id: number }) => id).slice(0, 5), total, default_count, custom_count];
	};
	assert.deepEqual(await listed(""), [[first, second, low, 950, 900], 3 + DEFAULTS, DEFAULTS, 3]);
	const all = await listed("?include_inactive=true&include_defaults=false");
	assert.deepEqual(all, [[draft, first, second, low], 4, 0, 4]);
});

test("the default rules can be read and not changed", async () => {
	const { channel_name, account_id, is_default, source_pattern } = (await call("GET /100")).data;
	const found = [channel_name, account_id, is_default, source_pattern];
	assert.deepEqual(found, ["Direct", null, true, "^\\(?direct\\)?$"]);
	assert.deepEqual(await refusal("PATCH /100", { priority: 1 }), [403, "forbidden"]);
	assert.deepEqual(await refusal("DELETE /100?only_if_inactive=true"), [403, "forbidden"]);
	assert.deepEqual(await refusal("GET /101"), [404, "not_found"]);
});

const faulty: readonly (readonly [rule: object, field: string])[] = [
	[{ channel_name: "" }, "channel_name"],
	[{ channel_name: "x".repeat(51) }, "channel_name"],
	[{ channel_name: "a\u0000b" }, "channel_name"],
	[{ source_pattern: "(" }, "source_pattern"],
	[{ medium_pattern: "(?=x)" }, "medium_pattern"],
	[{ campaign_pattern: "(a)\\1" }, "campaign_pattern"],
	[{ source_pattern: "x".repeat(256) }, "source_pattern"],
	[{ source_pattern: "(.{1,500}){2}" }, "source_pattern"],
	[{ source_pattern: " ", medium_pattern: "" }, "source_pattern"],
	[{ source_pattern: 5 }, "source_pattern"],
	[{ priority: 1001 }, "priority"],
	[{ priority: -1 }, "priority"],
	[{ priority: null }, "priority"],
	[{ is_active: "true" }, "is_active"],
];

test("a faulty rule answers 422 on its field, and a change that would leave no pattern changes nothing", async () => {
	for (const [rule, field] of faulty) {
		assert.deepEqual(await refusal("POST ", { ...own, ...rule }), [422, `body.${field}`], JSON.stringify(rule));
	}
	assert.deepEqual(await refusal("POST ", { medium_pattern: "x" }), [422, "body.channel_name"]);
	const id = await add();
	assert.deepEqual(await refusal(`PATCH /${id}`, { source_pattern: null }), [422, "body.source_pattern"]);
	assert.deepEqual(await refusal(`PATCH /${id}`, { channel_name: null }), [422, "body.channel_name"]);
	assert.equal((await call(`GET /${id}`)).data.source_pattern, "^acme$");
	assert.deepEqual(await refusal("GET /x"), [422, "path.rule_id"]);
	assert.deepEqual(await refusal("GET /2147483648"), [422, "path.rule_id"]);
});

test("only_if_inactive leaves a live rule alone", async () => {
	const live = await add();
	const draft = await add({ is_active: false });
	assert.deepEqual(await refusal(`PATCH /${live}?only_if_inactive=true`, { priority: 1 }), [409, "rule_is_live"]);
	assert.deepEqual(await refusal(`DELETE /${live}?only_if_inactive=true`), [409, "rule_is_live"]);
	assert.equal((await call(`GET /${live}`)).data.priority, 500);
	assert.deepEqual(await refusal("DELETE /999999?only_if_inactive=true"), [404, "not_found"]);
	assert.equal((await call(`DELETE /${draft}?only_if_inactive=true`)).status, 204);
});

test("a test says which channel a visit would get, and by which rule", async () => {
	const ask = async (body: object) => {
		const { channel, matched_rule: rule } = (await call("POST /test", body)).data;
		return [channel, rule?.id ?? null];
	};
	assert.deepEqual(await ask({ source: "Google", medium: "CPC" }), ["Paid Search", 950]);
	assert.deepEqual(await ask({ source: "acme", medium: "odd" }), ["Unassigned", null]);
	const id = await add();
	assert.deepEqual(await ask({ source: "ACME", medium: "odd" }), ["Partners", id]);
	const autumn = { channel_name: "Autumn", source_pattern: null, campaign_pattern: "autumn", priority: 900 };
	const draft = await add(autumn);
	assert.deepEqual(await ask({ source: "acme", campaign: "big-autumn-sale" }), ["Autumn", draft]);
	await call(`PATCH /${draft}`, { is_active: false });
	assert.deepEqual(await ask({ source: "acme", campaign: "big-autumn-sale" }), ["Partners", id]);
	assert.deepEqual(await ask({ campaign: "autumn", include_inactive: true }), ["Autumn", draft]);
});

test("a rule that is not saved is tried on many visits, in the place of the one that it stands for", async () => {
	const visits = [{ source: "acme" }, { source: "google", medium: "organic" }, { source: "odd" }];
	const channels = async (body: object) => (await call("POST /test", { visits, ...body })).data.channels;
	assert.deepEqual(await channels({}), ["Unassigned", "Organic Search", "Unassigned"]);
	const rule = { channel_name: "Search", source_pattern: "^(acme|google)$" };
	assert.deepEqual(await channels({ rule }), ["Search", "Search", "Unassigned"]);
	const { data: tried } = await call("POST /test", { source: "acme", rule });
	assert.deepEqual([tried.matched_rule.id, tried.matched_rule.is_active, tried.channels], [0, true, undefined]);
	const id = await add({ priority: 50 });
	assert.deepEqual(await channels({ rule }), ["Partners", "Search", "Unassigned"]);
	assert.deepEqual(await channels({ rule: { ...rule, priority: 51 } }), ["Search", "Search", "Unassigned"]);
	assert.deepEqual(await channels({ rule: { ...rule, id } }), ["Search", "Search", "Unassigned"]);
	const faulty = { ...rule, medium_pattern: "(" };
	assert.deepEqual(await refusal("POST /test", { rule: faulty }), [422, "body.rule.medium_pattern"]);
	assert.deepEqual(await refusal("POST /test", { rule: { channel_name: "X" } }), [422, "body.rule.source_pattern"]);
	assert.equal((await call("GET ?include_defaults=false")).data.total, 1);
});

test("an export can be imported elsewhere and gives the same rules", async () => {
	await add({ channel_name: 'Ünïcode 💛 "quoted"; drop table channel_rules;--', medium_pattern: "^a|b$" });
	await add({ is_active: false });
	const { data: document } = await call("GET /export");
	assert.deepEqual([document.version, document.rules.length, document.default_rules.length], [1, 2, DEFAULTS]);
	const rules = async () =>
		(await call("GET ?include_inactive=1")).data.rules.map(
			({ id, account_id, ...rule }: Record<string, unknown>) => rule,
		);
	const exported = await rules();
	here.site = await createSite(here.app, here.owner, { name: "Copy" });
	assert.deepEqual((await call("POST /import", document)).data, { inserted: 2, deleted: 0, total_after: 2 });
	assert.deepEqual(await rules(), exported);
});

test("an import replaces all own rules, or the drafts alone by drafts; a dry run changes nothing", async () => {
	const live = await add();
	await add({ is_active: false });
	const document = { version: 1, rules: [own, { ...own, is_active: false }, own] };
	const take = async (query = "", given: object = document) => (await call(`POST /import${query}`, given)).data;
	const listed = async () => (await call("GET ?include_defaults=false")).data.rules.map(({ id }: { id: number }) => id);
	assert.deepEqual(await take("?dry_run=true&scope=drafts"), { would_insert: 3, would_delete: 1, errors: [] });
	assert.deepEqual(await take("?scope=drafts"), { inserted: 3, deleted: 1, total_after: 4 });
	assert.deepEqual(await listed(), [live]);
	assert.deepEqual(await take(), { inserted: 3, deleted: 4, total_after: 3 });
	assert.equal((await listed()).length, 2);
	assert.deepEqual(await take("", { version: 1, rules: [] }), { inserted: 0, deleted: 3, total_after: 0 });
});

test("an import with faulty rows changes nothing and names each of them", async () => {
	const id = await add();
	const rules = [own, { ...own, source_pattern: "(" }, 7, { ...own, channel_name: "" }, { channel_name: "Empty" }];
	const faults = ["1.source_pattern", "2", "3.channel_name", "4.source_pattern"].map((name) => `body.rules.${name}`);
	assert.deepEqual(await refusal("POST /import", { version: 1, rules }), [422, ...faults]);
	assert.equal((await call(`GET /${id}`)).status, 200);
	const { data: dry } = await call("POST /import?dry_run=1", { version: 1, rules });
	const fieldsOf = (errors: { field: string }[]) => errors.map(({ field }) => field);
	assert.deepEqual([dry.would_insert, dry.would_delete, fieldsOf(dry.errors)], [1, 1, faults]);
	const many = { version: 1, rules: Array.from({ length: 101 }, () => own) };
	assert.deepEqual(await refusal("POST /import", many), [409, "conflict"]);
	assert.deepEqual(fieldsOf((await call("POST /import?dry_run=1", many)).data.errors), ["body.rules"]);
	assert.deepEqual(await refusal("POST /import", { version: 2, rules: [] }), [422, "body.version"]);
	assert.deepEqual(await refusal("POST /import?scope=some", { version: 1, rules: [] }), [422, "query.scope"]);
	const large = { version: 1, rules: [], padding: "x".repeat(256 * 1024) };
	assert.deepEqual(await refusal("POST /import", large), [413, "payload_too_large"]);
});
