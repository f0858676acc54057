import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createSite } from "../../../../test/support/accounts.ts";
import { type CollectingSite, collectingSite } from "../../../../test/support/collecting-site.ts";
import { sendHits } from "../../../../test/support/hits.ts";
import { postgresSkip } from "../../../../test/support/test-schema.ts";
import { createAttributionDirectory } from "../attribution-settings/index.ts";

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
	assert.ok(low > 1000, "an own rule has the id of no default rule");
});

test("the default rules can be read and not changed", async () => {
	const { channel_name, account_id, is_default, source_pattern } = (await call("GET /100")).data;
	const found = [channel_name, account_id, is_default, source_pattern];
	assert.deepEqual(found, ["Direct", null, true, "^\\(?direct\\)?$"]);
	assert.deepEqual(await refusal("PATCH /100", { priority: 1 }), [403, "forbidden"]);
	assert.deepEqual(await refusal("DELETE /100?only_if_inactive=true"), [403, "forbidden"]);
	assert.deepEqual(await refusal("GET /101"), [404, "not_found"]);
});

test("a rule of another site is not found, neither to read nor to change", async () => {
	const id = await add();
	const first = here.site;
	here.site = await createSite(here.app, here.owner);
	assert.deepEqual(await refusal(`GET /${id}`), [404, "not_found"]);
	assert.deepEqual(await refusal(`PATCH /${id}`, { priority: 1 }), [404, "not_found"]);
	assert.deepEqual(await refusal(`DELETE /${id}`), [404, "not_found"]);
	here.site = first;
	assert.equal((await call(`GET /${id}`)).data.priority, 500);
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
	const large = { version: 1, rules: [], padding: "x".repeat(256 * 1024) };
	assert.deepEqual(await refusal("POST /import", large), [413, "payload_too_large"]);
});

let visitors = 0;
/** A visitor who has not been here before comes with these campaign values. */
async function visit(query = "utm_source=acme"): Promise<void> {
	visitors += 1;
	await sendHits(here.app, [here.view(`/?${query}`, { ip: `198.51.100.${visitors}` })]);
}

async function entrances(query = "period=today"): Promise<Record<string, number>> {
	const { data } = await call(`GET /stats/channels?${query}`);
	return Object.fromEntries(data.channels.map((row: Record<string, unknown>) => [row["channel"], row["entrances"]]));
}

test("a live rule decides the channel of the hits that follow, at once, and stored hits keep theirs", async () => {
	await visit("utm_source=acme&utm_medium=odd");
	const id = await add();
	await visit("utm_source=ACME&utm_medium=odd");
	await visit("utm_source=acme&utm_medium=cpc");
	assert.deepEqual(await entrances(), { Partners: 2, Unassigned: 1 });
	// A name may be hostile, and is kept and shown as it is.
	const channel_name = "'; DROP TABLE events; -- \\%💛<b>";
	await call(`PATCH /${id}`, { channel_name });
	await visit();
	await call(`PATCH /${id}`, { is_active: false });
	await visit();
	await call(`PATCH /${id}`, { is_active: true });
	await call(`DELETE /${id}`);
	await visit();
	assert.deepEqual(await entrances(), { Unassigned: 3, Partners: 2, [channel_name]: 1 });
});

test("imported rules decide from the next hit on, dry runs and drafts nothing", async () => {
	await add({ channel_name: "Old" });
	for (const [query, channel_name] of [
		["dry_run=true", "Dry"],
		["scope=all", "New"],
		["scope=drafts", "No"],
	] as const) {
		const rules = [{ channel_name, source_pattern: "acme" }];
		assert.equal((await call(`POST /import?${query}`, { version: 1, rules })).status, 200);
		await visit();
	}
	assert.deepEqual(await entrances(), { New: 2, Old: 1 });
});

test("the highest priority of the site decides, the older rule on a tie; another process takes a change over when it next looks", async () => {
	const { metadata, clock } = here.app;
	const directory = await createAttributionDirectory({ metadata, clock });
	const { site } = here;
	const channel = (of = site) => directory.get(of).channelRules?.({ source: "acme", medium: "", campaign: "" }).channel;
	await add({ channel_name: "Low", priority: 10 });
	const older = await add({ channel_name: "Older", priority: 20 });
	await add({ channel_name: "Younger", priority: 20 });
	assert.equal(channel(), undefined);
	await directory.refresh();
	await directory.refresh();
	assert.equal(channel(), "Older");
	here.site = await createSite(here.app, here.owner, { name: "Other" });
	await visit();
	assert.deepEqual([await entrances(), channel(here.site)], [{ Unassigned: 1 }, undefined]);
	await add({ channel_name: "Other" });
	await directory.refresh();
	const other = here.site;
	const rulesOfOther = [directory.get(other), directory.rules(other)];
	assert.equal(channel(other), "Other");
	here.site = site;
	await call(`DELETE /${older}`);
	assert.equal(channel(), "Older");
	await directory.refresh();
	assert.equal(channel(), "Younger");
	// The sites concerned alone are read again.
	assert.ok([directory.get(other), directory.rules(other)].every((rules, at) => rules === rulesOfOther[at]));
	directory.stop();
});

test("the figures of the channels add up, filtered and in pages", async () => {
	await add();
	const [first, second, third] = ["203.0.113.1", "203.0.113.2", "203.0.113.3"].map((ip) => ({ ip }));
	await sendHits(here.app, [
		here.view("/?utm_source=acme", first),
		here.view("/cart", { ...first, referrer: "https://shop.example/" }),
		here.view("/cart", { ...first, event: "purchase", amount: 12.5 }),
		here.view("/cart", { ...first, event: "scroll", isMicro: true }),
		here.view("/?utm_source=acme", { ...second, timezone: "Europe/Paris" }),
		here.view("/", third),
	]);
	const visits = { entrances: 2, engaged_entrances: 1, bounces: 1, bounce_rate: 50, page_views: 3 };
	const events = { microconversions: 1, conversions: 1, conversion_rate: 50, revenue: 12.5 };
	const none = { engaged_entrances: 0, microconversions: 0, conversions: 0, conversion_rate: 0, revenue: 0 };
	const direct = { channel: "Direct", entrances: 1, bounces: 1, bounce_rate: 100, page_views: 1, ...none };
	assert.deepEqual((await call("GET /stats/channels")).data, {
		channels: [{ channel: "Partners", ...visits, ...events }, direct],
		total: 2,
	});
	assert.deepEqual(await entrances("country=fr"), { Partners: 1 });
	assert.deepEqual(await entrances("country=FR&country=ES&page_size=1&page=2"), { Direct: 1 });
	assert.deepEqual(await entrances("page=3"), {});
	assert.deepEqual(await entrances("period=yesterday"), {});
	assert.equal((await call("GET /stats/channels?country=Spain")).status, 422);
	const backwards = "GET /stats/channels?start_date=2026-11-22&end_date=2026-11-21";
	assert.deepEqual(await refusal(backwards), [400, "bad_request"]);
});
