import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { createSite, type Session, signIn } from "../../../../test/support/accounts.ts";
import { sendHits } from "../../../../test/support/hits.ts";
import { type TestApp, testApp } from "../../../../test/support/test-app.ts";
import { createAttributionDirectory } from "../attribution-settings/index.ts";
import { loadChannelRules } from "./index.ts";

let app: TestApp;
let ann: Session;
/** Each test has a site of its own. */
let site: string;
let visitors = 0;

before(async () => {
	app = await testApp();
	ann = await signIn(app);
});
beforeEach(async () => {
	site = await createSite(app, ann);
});
after(() => app.close());

async function call(route: string, body?: object): Promise<ReturnType<typeof JSON.parse>> {
	const [method = "GET", path = ""] = route.split(" ");
	const response = await app.inject({
		method: method as "GET",
		url: `/api/v1${path}${path.includes("?") ? "&" : "?"}account_id=${site}`,
		headers: ann.headers,
		...(body === undefined ? {} : { payload: body }),
	});
	return response.statusCode === 204 ? undefined : response.json();
}
const addRule = async (rule: object): Promise<number> =>
	(await call("POST /channel-groups", { channel_name: "Partners", source_pattern: "^acme$", ...rule })).data.id;

/** A visitor who has not been here before comes with these campaign values. */
async function visit(query: string): Promise<void> {
	visitors += 1;
	const ip = `198.51.100.${visitors}`;
	await sendHits(app, [{ site, ip, url: `https://shop.example/?${query}` }]);
}

async function channels(query = "period=today"): Promise<[string, number][]> {
	const { data } = await call(`GET /channel-groups/stats/channels?${query}`);
	return data.channels.map(({ channel, entrances }: { channel: string; entrances: number }) => [channel, entrances]);
}

test("a live rule decides the channel of the hits that follow, at once, and stored hits keep theirs", async () => {
	await visit("utm_source=acme&utm_medium=odd");
	const id = await addRule({});
	await visit("utm_source=ACME&utm_medium=odd");
	await visit("utm_source=acme&utm_medium=cpc");
	assert.deepEqual(await channels(), [
		["Partners", 2],
		["Unassigned", 1],
	]);
	await call(`PATCH /channel-groups/${id}`, { channel_name: "Resellers" });
	await visit("utm_source=acme");
	await call(`PATCH /channel-groups/${id}`, { is_active: false });
	await visit("utm_source=acme");
	await call(`PATCH /channel-groups/${id}`, { is_active: true });
	await call(`DELETE /channel-groups/${id}`);
	await visit("utm_source=acme");
	assert.deepEqual(await channels(), [
		["Unassigned", 3],
		["Partners", 2],
		["Resellers", 1],
	]);
});

test("the highest priority decides, the older rule on a tie", async () => {
	await addRule({ channel_name: "Low", priority: 10 });
	await addRule({ channel_name: "Older", priority: 20 });
	await addRule({ channel_name: "Younger", priority: 20 });
	await visit("utm_source=acme");
	assert.deepEqual(await channels(), [["Older", 1]]);
});

test("imported rules decide from the next hit on", async () => {
	await addRule({ channel_name: "Old" });
	const rules = [{ channel_name: "New", source_pattern: "acme" }];
	assert.deepEqual(
		(await call("POST /channel-groups/import?dry_run=true", { version: 1, rules })).data.would_delete,
		1,
	);
	await visit("utm_source=acme");
	await call("POST /channel-groups/import", { version: 1, rules });
	await visit("utm_source=acme");
	await call("POST /channel-groups/import?scope=drafts", {
		version: 1,
		rules: [{ ...rules[0], channel_name: "Draft" }],
	});
	await visit("utm_source=acme");
	assert.deepEqual(await channels(), [
		["New", 2],
		["Old", 1],
	]);
});

test("rules of one site leave the others alone, and hold after a restart", async () => {
	await addRule({});
	const first = site;
	site = await createSite(app, ann, { name: "Other" });
	await visit("utm_source=acme");
	assert.deepEqual(await channels(), [["Unassigned", 1]]);
	const directory = await createAttributionDirectory({
		metadata: app.metadata,
		clock: app.clock,
		loaders: { channelRules: loadChannelRules },
	});
	const touch = { source: "acme", medium: "", campaign: "" };
	assert.equal(directory.get(first).channelRules?.(touch).channel, "Partners");
	assert.equal(directory.get(site).channelRules, undefined);
	directory.stop();
});

test("another process takes a change over when it next looks, and only reads the sites concerned", async () => {
	const read: (readonly string[] | undefined)[] = [];
	const directory = await createAttributionDirectory({
		metadata: app.metadata,
		clock: app.clock,
		loaders: {
			channelRules: (metadata, siteIds) => {
				read.push(siteIds);
				return loadChannelRules(metadata, siteIds);
			},
		},
	});
	const channelOf = (source: string) =>
		directory.get(site).channelRules?.({ source, medium: "", campaign: "" }).channel;
	assert.equal(channelOf("acme"), undefined);
	const id = await addRule({});
	await directory.refresh();
	await directory.refresh();
	assert.equal(channelOf("acme"), "Partners");
	await call(`DELETE /channel-groups/${id}`);
	assert.equal(channelOf("acme"), "Partners");
	await directory.refresh();
	assert.equal(channelOf("acme"), undefined);
	assert.deepEqual(read, [undefined, [site], [site]]);
	directory.stop();
});

test("the figures of the channels add up, filtered and in pages", async () => {
	const hit = (ip: string, url: string, more: object = {}) => ({
		site,
		ip,
		url: `https://shop.example${url}`,
		...more,
	});
	await addRule({});
	await sendHits(app, [
		hit("203.0.113.1", "/?utm_source=acme"),
		hit("203.0.113.1", "/cart", { referrer: "https://shop.example/" }),
		hit("203.0.113.1", "/cart", { event: "purchase", amount: 12.5 }),
		hit("203.0.113.1", "/cart", { event: "scroll", isMicro: true }),
		hit("203.0.113.2", "/?utm_source=acme", { timezone: "Europe/Paris" }),
		hit("203.0.113.3", "/"),
	]);
	const { data } = await call("GET /channel-groups/stats/channels");
	assert.deepEqual(data, {
		channels: [
			{
				channel: "Partners",
				entrances: 2,
				engaged_entrances: 1,
				bounces: 1,
				bounce_rate: 50,
				page_views: 3,
				microconversions: 1,
				conversions: 1,
				conversion_rate: 50,
				revenue: 12.5,
			},
			{
				channel: "Direct",
				entrances: 1,
				engaged_entrances: 0,
				bounces: 1,
				bounce_rate: 100,
				page_views: 1,
				microconversions: 0,
				conversions: 0,
				conversion_rate: 0,
				revenue: 0,
			},
		],
		total: 2,
	});
	assert.deepEqual(await channels("country=fr"), [["Partners", 1]]);
	assert.deepEqual(await channels("country=FR&country=ES&page_size=1&page=2"), [["Direct", 1]]);
	assert.deepEqual(await channels("page=3"), []);
	assert.deepEqual(await channels("period=yesterday"), []);
	const status = async (query: string) => (await call(`GET /channel-groups/stats/channels?${query}`)).error.code;
	assert.equal(await status("country=Spain"), "validation_error");
	assert.equal(await status("period=never"), "validation_error");
	assert.equal(await status("page_size=101"), "validation_error");
	assert.equal(await status("start_date=2026-11-22&end_date=2026-11-21"), "bad_request");
});

test("a hostile name of a channel is kept and shown as it is", async () => {
	const name = "'; DROP TABLE events; -- \\%💛<b>";
	await addRule({ channel_name: name });
	await visit("utm_source=acme");
	assert.deepEqual(await channels(), [[name, 1]]);
});
