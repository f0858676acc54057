import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { openStage, type Seen, type Stage } from "./stage.ts";

let stage: Stage;
before(async () => {
	stage = await openStage();
});
after(() => stage.close());
beforeEach(() => {
	stage.errors.length = 0;
	stage.pages.clear();
});

const seen = (path: string, referrer: string, more: Partial<Seen> = {}): Seen => ({
	u: stage.site + path,
	r: referrer && stage.site + referrer,
	g: "",
	...more,
});

/** The events that a page with the script sends for calls of `footfall`. */
async function sentBy(calls: readonly string[]) {
	const hits = await stage.visit(stage.tag("&auto=0"), { acts: calls.map((call) => `footfall.${call}`) });
	assert.deepEqual(stage.errors, []);
	return hits.map(({ u, r, g, ...event }) => event);
}

test("an amount is sent as it is, number or text, so that the collector can read it or say that it is none", async () => {
	const amounts = ["59.9", "0", "10n", "'59.90'", "''", "'59,90'", "'1.234,50'", "'€ 12'", "NaN", "Infinity"];
	assert.deepEqual(await sentBy(amounts.map((amount) => `conv('buy', ${amount})`)), [
		{ e: "buy", v: 59.9 },
		{ e: "buy", v: 0 },
		{ e: "buy", v: "10" },
		{ e: "buy", v: "59.90" },
		{ e: "buy", v: "" },
		{ e: "buy", v: "59,90" },
		{ e: "buy", v: "1.234,50" },
		{ e: "buy", v: "€ 12" },
		{ e: "buy", v: "NaN" },
		{ e: "buy", v: "Infinity" },
	]);
});

test("properties may stand in the place of an amount, and an amount may be null", async () => {
	const calls = ["conv('lead', { order: 'A' })", "conv('lead', null, { order: 'B' })", "conv('lead', null)"];
	assert.deepEqual(await sentBy([...calls, "micro('step', { plan: 'free' })"]), [
		{ e: "lead", x: { order: "A" } },
		{ e: "lead", x: { order: "B" } },
		{ e: "lead" },
		{ e: "step", m: 1, x: { plan: "free" } },
	]);
});

test("properties that are none are left out, and the event is sent all the same", async () => {
	assert.deepEqual(await sentBy(["micro('step', 5)", "micro('step', 'free')", "conv('buy', 3, 'A')"]), [
		{ e: "step", m: 1, v: 5 },
		{ e: "step", m: 1, v: "free" },
		{ e: "buy", v: 3 },
	]);
});

test("calls between the tag and the script are sent in order, ahead of the first page view", async () => {
	const early = "footfall.conv('buy', '59.90', { order: 'A' }); footfall.micro('step'); footfall({ group: 'early' })";
	assert.deepEqual(await stage.visit(`${stage.tag()}<script>${early}</script>`), [
		seen("/", "", { e: "buy", v: "59.90", x: { order: "A" } }),
		seen("/", "", { e: "step", m: 1 }),
		seen("/", "", { g: "early" }),
		seen("/", ""),
	]);
	assert.deepEqual(stage.errors, []);
});

const occupied: Record<string, string> = {
	"an element with the id": '<nav id="footfall"></nav>',
	"two elements with the id": '<i id="footfall"></i><b id="footfall"></b>',
	"a form whose fields are called like the calls": '<form name="footfall"><input name="conv"><input name="q"></form>',
	"a frame of the name, of another origin": '<iframe name="footfall" src="http://other.test:1/"></iframe>',
	"an object of the page": "<script>var footfall = { q: 5, conv: 1 };</script>",
	"a function of the page": "<script>function footfall() { throw new Error('theirs') }</script>",
};

for (const [name, html] of Object.entries(occupied)) {
	test(`${name} under the global name: early calls arrive ahead of the page view, later ones too`, async () => {
		const early = "<script>footfall.conv('enquiry', { room: 'blue' })</script>";
		const hits = await stage.visit(html + stage.tag() + early, { acts: ["footfall.micro('later')"] });
		assert.deepEqual(hits, [
			seen("/", "", { e: "enquiry", x: { room: "blue" } }),
			seen("/", ""),
			seen("/", "", { e: "later", m: 1 }),
		]);
		assert.deepEqual(stage.errors, []);
	});
	test(`${name} under the global name, without the call stub: the page counts`, async () => {
		assert.deepEqual(await stage.visit(html + stage.script()), [seen("/", "")]);
	});
}

test("without the script every call of the tag's stub is harmless, and it keeps a hundred of them", async () => {
	stage.pages.set("/", { html: stage.tag().replace("/t.js", "/blocked") });
	const page = await stage.newPage();
	await page.route("**/blocked*", (route) => route.abort());
	await page.goto(`${stage.site}/`);
	const calls = "for (let n = 0; n < 60; n++) { footfall.conv('buy', n, {}); footfall.micro('m') } footfall()";
	assert.equal(await page.evaluate(`${calls}; footfall.q.length`), 100);
	await page.context().close();
	assert.deepEqual(stage.errors, []);
});
