import assert from "node:assert/strict";
import { test } from "node:test";
import { createSite } from "../../../../test/support/accounts.ts";
import { collectingSite } from "../../../../test/support/collecting-site.ts";
import { sendHits } from "../../../../test/support/hits.ts";
import { createAttributionDirectory } from "../attribution-settings/index.ts";
import { loadChannelRules } from "./index.ts";

const here = collectingSite();
const addRule = async (rule: object = {}): Promise<number> =>
	(await here.call("POST /channel-groups", { channel_name: "Partners", source_pattern: "^acme$", ...rule })).data.id;

let visitors = 0;
/** A visitor who has not been here before comes with these campaign values. */
async function visit(query = "utm_source=acme"): Promise<void> {
	visitors += 1;
	await sendHits(here.app, [here.view(`/?${query}`, { ip: `198.51.100.${visitors}` })]);
}

async function channels(query = "period=today"): Promise<Record<string, number>> {
	const { data } = await here.call(`GET /channel-groups/stats/channels?${query}`);
	return Object.fromEntries(data.channels.map((row: Record<string, unknown>) => [row["channel"], row["entrances"]]));
}

test("a live rule decides the channel of the hits that follow, at once, and stored hits keep theirs", async () => {
	await visit("utm_source=acme&utm_medium=odd");
	const id = await addRule();
	await visit("utm_source=ACME&utm_medium=odd");
	await visit("utm_source=acme&utm_medium=cpc");
	assert.deepEqual(await channels(), { Partners: 2, Unassigned: 1 });
	// A name may be hostile, and is kept and shown as it is.
	const channel_name = "'; DROP TABLE events; -- \\%💛<b>";
	await here.call(`PATCH /channel-groups/${id}`, { channel_name });
	await visit();
	await here.call(`PATCH /channel-groups/${id}`, { is_active: false });
	await visit();
	await here.call(`PATCH /channel-groups/${id}`, { is_active: true });
	await here.call(`DELETE /channel-groups/${id}`);
	await visit();
	assert.deepEqual(await channels(), { Unassigned: 3, Partners: 2, [channel_name]: 1 });
});

test("the highest priority decides, the older rule on a tie", async () => {
	await addRule({ channel_name: "Low", priority: 10 });
	await addRule({ channel_name: "Older", priority: 20 });
	await addRule({ channel_name: "Younger", priority: 20 });
	await visit();
	assert.deepEqual(await channels(), { Older: 1 });
});

test("imported rules decide from the next hit on, dry runs and drafts nothing", async () => {
	await addRule({ channel_name: "Old" });
	for (const [query, channel_name] of Object.entries({
		"dry_run=true": "Dry",
		"scope=all": "New",
		"scope=drafts": "No",
	})) {
		const rules = [{ channel_name, source_pattern: "acme" }];
		assert.equal((await here.call(`POST /channel-groups/import?${query}`, { version: 1, rules })).status, 200);
		await visit();
	}
	assert.deepEqual(await channels(), { New: 2, Old: 1 });
});

test("rules of one site leave the others alone; another process takes a change over when it next looks", async () => {
	const read: (readonly string[] | undefined)[] = [];
	const directory = await createAttributionDirectory({
		metadata: here.app.metadata,
		clock: here.app.clock,
		loaders: {
			channelRules: (metadata, siteIds) => {
				read.push(siteIds);
				return loadChannelRules(metadata, siteIds);
			},
		},
	});
	const { site } = here;
	const channel = (of = site) => directory.get(of).channelRules?.({ source: "acme", medium: "", campaign: "" }).channel;
	const id = await addRule();
	assert.equal(channel(), undefined);
	await directory.refresh();
	await directory.refresh();
	assert.equal(channel(), "Partners");
	here.site = await createSite(here.app, here.owner, { name: "Other" });
	await visit();
	assert.deepEqual([await channels(), channel(here.site)], [{ Unassigned: 1 }, undefined]);
	here.site = site;
	await here.call(`DELETE /channel-groups/${id}`);
	assert.equal(channel(), "Partners");
	await directory.refresh();
	assert.equal(channel(), undefined);
	// The sites concerned alone are read again.
	assert.deepEqual(read, [undefined, [site], [site]]);
	directory.stop();
});

test("the figures of the channels add up, filtered and in pages", async () => {
	await addRule();
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
	assert.deepEqual((await here.call("GET /channel-groups/stats/channels")).data, {
		channels: [{ channel: "Partners", ...visits, ...events }, direct],
		total: 2,
	});
	assert.deepEqual(await channels("country=fr"), { Partners: 1 });
	assert.deepEqual(await channels("country=FR&country=ES&page_size=1&page=2"), { Direct: 1 });
	assert.deepEqual(await channels("page=3"), {});
	assert.deepEqual(await channels("period=yesterday"), {});
	for (const [query, status] of Object.entries({ "country=Spain": 422, "period=never": 422, "page_size=101": 422 }))
		assert.equal((await here.call(`GET /channel-groups/stats/channels?${query}`)).status, status, query);
	const backwards = "GET /channel-groups/stats/channels?start_date=2026-11-22&end_date=2026-11-21";
	assert.deepEqual(await here.refusal(backwards), [400, "bad_request"]);
});
