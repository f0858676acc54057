import assert from "node:assert/strict";
import { test } from "node:test";
import { collectingSite } from "../../../../test/support/collecting-site.ts";
import { sendHits } from "../../../../test/support/hits.ts";

const order = { name: "Order", kind: "page", pattern: "/thank-you", conversion_type: "order", amount: 12.5 };

const here = collectingSite();
const set = (goals: readonly object[]) => here.call(`PATCH /sites/${here.site}`, { goals });
const columns = "toString(kind) AS what, path, event_type, toFloat64(amount) AS amount, properties";
/** Types of the events that visits to these paths count, each by a visitor of its own. */
const counted = async (hits: readonly (readonly [path: string, more?: object])[]) => {
	const sent = hits.map(([path, more], visitor) => here.view(path, { ip: `203.0.113.${visitor}`, ...more }));
	await sendHits(here.app, sent);
	const rows = await here.storedRows("path, event_type");
	return rows.filter((row) => row.event_type !== "").map((row) => `${row.event_type} ${row.path}`);
};

test("a page view of a goal's path adds one conversion a visit with its amount, goal_id and the visit's source", async () => {
	const { data } = await set([order]);
	const { id } = data.goals[0];
	assert.deepEqual(data.goals, [{ ...order, id, counts_as: "conversion" }]);
	const view = (path: string) => here.view(path);
	await sendHits(here.app, [here.view("/?utm_source=news"), view("/thank-you"), view("/thank-you?again")]);
	const page = (path: string) => ({ what: "pageview", path, event_type: "", amount: 0, properties: {} });
	const [first, ...rest] = (await here.storedRows(columns)).filter(({ what }) => what !== "engaged");
	assert.deepEqual(first, page("/"));
	const conversion = {
		what: "conversion",
		path: "/thank-you",
		event_type: "order",
		amount: 12.5,
		properties: { goal_id: id },
	};
	const byKind = rest.sort((a, b) => String(b.what).localeCompare(String(a.what)));
	assert.deepEqual(byKind, [page("/thank-you"), page("/thank-you"), conversion]);
	const report = await here.call("GET /stats/conversions?period=today");
	const {
		count,
		revenue,
		by_source: [source],
	} = report.data[0];
	assert.deepEqual([report.total, count, revenue, source.utm_source], [1, 1, 12.5, "news"]);
	const totals = (await here.call("GET /stats/overview?period=today")).data.traffic;
	assert.deepEqual([totals.page_views, totals.entrances], [3, 1]);
	here.app.clock.advance(31 * 60_000);
	await sendHits(here.app, [view("/thank-you")]);
	const conversions = await here.query("SELECT ts FROM events WHERE site = {site:String} AND conversion = 1");
	assert.equal(conversions.length, 2);
});

test("* matches within a part of the path, ** across parts, all else is literal and the whole path has to match", async () => {
	await set([
		{ ...order, pattern: "/shop/*/done", conversion_type: "part" },
		{ ...order, pattern: "/docs/**", conversion_type: "parts" },
		{ ...order, pattern: "/a.c+(d)", conversion_type: "literal" },
		{ ...order, pattern: "/café", conversion_type: "escaped" },
		{ ...order, pattern: "**/end", conversion_type: "end", counts_as: "microconversion", amount: 0 },
	]);
	const hits = [
		"/shop/1/done",
		"/shop/1/2/done",
		"/shop//done",
		"/shop/1/done/",
		"/docs/",
		"/docs/a/b",
		"/docs",
		"/a.c+(d)",
		"/abc+(d)",
	];
	const more = ["/caf%c3%a9", "/CAFÉ", "/x/y/end", "/end"];
	assert.deepEqual((await counted([...hits, ...more].map((path) => [path]))).sort(), [
		"end /end",
		"end /x/y/end",
		"escaped /caf%C3%A9",
		"literal /a.c+(d)",
		"part /shop//done",
		"part /shop/1/done",
		"parts /docs/",
		"parts /docs/a/b",
	]);
});

test("a goal on events counts micro-conversions of its type, and neither conversions nor pages", async () => {
	await set([{ ...order, kind: "event", pattern: "form*", conversion_type: "lead" }]);
	const micro = (event: string) => ["/", { event, isMicro: true }] as const;
	const found = await counted([micro("form"), micro("form_2"), micro("a form"), ["/", { event: "form" }], ["/form"]]);
	const told = found.filter((text) => text.startsWith("lead"));
	assert.deepEqual(told, ["lead /", "lead /"]);
});

test("a goal that is kept by its id does not count again in a visit, a removed one counts no more", async () => {
	const { data } = await set([order]);
	await counted([["/thank-you"]]);
	await set([
		{ ...data.goals[0], amount: 99 },
		{ ...order, pattern: "/other", conversion_type: "other" },
	]);
	assert.deepEqual(await counted([["/thank-you"], ["/other"]]), ["order /thank-you", "other /other"]);
	await set([]);
	assert.equal((await counted([["/thank-you"], ["/thank-you"], ["/thank-you"]])).length, 2);
});

test("goals that cannot count are refused with their field", async () => {
	const cases: [object, string][] = [
		[{ pattern: "thank-you" }, "pattern"],
		[{ pattern: "  " }, "pattern"],
		[{ name: " " }, "name"],
		[{ conversion_type: "\u0007" }, "conversion_type"],
		[{ kind: "event", pattern: "x", counts_as: "microconversion" }, "counts_as"],
		[{ counts_as: "microconversion" }, "amount"],
		[{ amount: -1 }, "amount"],
		[{ kind: "click" }, "kind"],
	];
	for (const [change, field] of cases) {
		const { status, error } = await set([order, { ...order, ...change }]);
		const found = [status, error.detail.map((fault: { field: string }) => fault.field)];
		assert.deepEqual(found, [422, [`body.goals.1.${field}`]]);
	}
	const twice = { ...order, id: "abcd1234" };
	assert.equal((await set([twice, twice])).error.detail[0].field, "body.goals.1.id");
	assert.equal((await set(Array.from({ length: 21 }, () => order))).status, 422);
});
