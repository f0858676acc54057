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

/** Opens a page with the tracker, does `acts` in it, and answers the hits that came. */
const visit = (options: {
	path?: string;
	query?: string;
	before?: string;
	acts?: string[];
	least?: number;
}): Promise<Seen[]> => stage.visit(`${options.before ?? ""}${stage.script(options.query)}`, options);

test("a page that opens sends one page view as a CORS-simple request with every field of the wire", async () => {
	stage.pages.set("/a", { html: `<title>A</title>${stage.script()}` });
	const page = await stage.newPage();
	const [request] = await Promise.all([
		page.waitForRequest((one) => one.url() === `${stage.collector}/event`),
		page.goto(`${stage.site}/a?utm_source=news#part`),
	]);
	assert.equal(request.method(), "POST");
	assert.equal(request.resourceType(), "ping");
	await page.evaluate("footfall.micro('end')");
	const first = await stage.first();
	assert.deepEqual(first.contentType, "text/plain;charset=UTF-8");
	assert.equal(first.origin, stage.site);
	assert.deepEqual(first.hit, {
		a: "shop",
		t: "MTc5NTIxOTIwMDo5ZjJjNGUwYTFiNmQ4NzM1YWVmMDQ5MTJjN2I4ZDNlNg",
		u: `${stage.site}/a?utm_source=news`,
		r: "",
		z: "Europe/Madrid",
		g: "",
	});
	await stage.hitsUntilEnd(page);
	assert.deepEqual(stage.errors, []);
});

test("a link to another page sends the page before as referrer", async () => {
	stage.pages.set("/one", { html: `<a href="/two">two</a>${stage.script()}` });
	stage.pages.set("/two", { html: `two${stage.script()}`, headers: { "referrer-policy": "unsafe-url" } });
	const page = await stage.newPage();
	await page.goto(`${stage.site}/one?x=1`);
	await page.click("a");
	await page.waitForFunction("window.footfall && location.pathname === '/two'");
	assert.deepEqual(await stage.hitsUntilEnd(page), [seen("/one?x=1", ""), seen("/two", "/one?x=1")]);
});

test("pushState to another address sends a page view with the old address as referrer", async () => {
	const acts = ["history.pushState({}, '', '/b?x=1#top')", "history.pushState({}, '', '/c')"];
	assert.deepEqual(await visit({ acts }), [seen("/", ""), seen("/b?x=1", "/"), seen("/c", "/b?x=1")]);
});

test("replaceState to the same address sends nothing, to another one a page view", async () => {
	const acts = ["history.replaceState({ a: 1 }, '')", "history.replaceState({}, '', '/other')"];
	assert.deepEqual(await visit({ acts }), [seen("/", ""), seen("/other", "/")]);
});

test("going back on a single-page site sends a page view of the address that returns", async () => {
	const back = "new Promise((done) => { addEventListener('popstate', () => done()); history.back(); })";
	const hits = await visit({ acts: ["history.pushState({}, '', '/b')", back] });
	assert.deepEqual(hits, [seen("/", ""), seen("/b", "/"), seen("/", "/b")]);
});

test("a change of the fragment alone sends nothing", async () => {
	const hash = "new Promise((done) => { addEventListener('hashchange', () => done()); location.hash = 'x'; })";
	const acts = [hash, "history.pushState({}, '', '#y')", "history.pushState({}, '', '/#z')"];
	assert.deepEqual(await visit({ acts }), [seen("/", "")]);
});

test("pushState keeps its errors and its effect for the page", async () => {
	const acts = [
		"history.pushState({ n: 7 }, '', '/kept'); if (history.state.n !== 7) throw new Error('state')",
		"try { history.pushState({}, '', 'https://elsewhere.example/'); throw new Error('none') } catch (e) { if (e.name !== 'SecurityError') throw e }",
	];
	assert.deepEqual(await visit({ acts }), [seen("/", ""), seen("/kept", "/")]);
});

test("a conversion carries amount, properties and items", async () => {
	const acts = [
		"footfall.conv('purchase', 59.9, { order: 'A-1', items: [{ sku: 'x', quantity: 2 }] })",
		"footfall.conv('lead')",
		"footfall.conv('refund', -5)",
		"footfall.conv('free', 0)",
	];
	assert.deepEqual(await visit({ acts }), [
		seen("/", ""),
		seen("/", "", { e: "purchase", v: 59.9, x: { order: "A-1", items: [{ sku: "x", quantity: 2 }] } }),
		seen("/", "", { e: "lead" }),
		seen("/", "", { e: "refund", v: -5 }),
		seen("/", "", { e: "free", v: 0 }),
	]);
});

test("a microconversion carries its mark and properties and no amount", async () => {
	const acts = ["footfall.micro('signup', { plan: 'free' })", "footfall.micro(404)"];
	const hits = [
		seen("/", ""),
		seen("/", "", { e: "signup", m: 1, x: { plan: "free" } }),
		seen("/", "", { e: "404", m: 1 }),
	];
	assert.deepEqual(await visit({ acts }), hits);
});

test("a page view by hand takes its own content group, else that of the script", async () => {
	const hits = await visit({ query: "&group=docs", acts: ["footfall()", "footfall({ group: 'blog' })"] });
	assert.deepEqual(hits, [seen("/", "", { g: "docs" }), seen("/", "", { g: "docs" }), seen("/", "", { g: "blog" })]);
});

test("calls queued by a stub go out in order before the first page view; a broken entry harms no other", async () => {
	const stub = `<script>
		window.footfall = function () { (footfall.q = footfall.q || []).push(["pv", arguments]) };
		footfall.conv = function () { (footfall.q = footfall.q || []).push(["cv", arguments]) };
		footfall.micro = function () { (footfall.q = footfall.q || []).push(["mc", arguments]) };
		footfall.micro("early", { a: 1 }); footfall({ group: "queued" }); footfall.q.push(["zz", 1], null, 5);
		footfall.conv("buy", 10, { b: 2 });
	</script>`;
	assert.deepEqual(await visit({ before: stub }), [
		seen("/", "", { e: "early", m: 1, x: { a: 1 } }),
		seen("/", "", { g: "queued" }),
		seen("/", "", { e: "buy", v: 10, x: { b: 2 } }),
		seen("/", ""),
	]);
	assert.deepEqual(stage.errors, []);
});

test("auto=0 leaves out the first page view only, spa=0 those of routes only", async () => {
	const acts = ["history.pushState({}, '', '/b')"];
	assert.deepEqual(await visit({ query: "&auto=0", acts }), [seen("/b", "")]);
	assert.deepEqual(await visit({ query: "&spa=0", acts }), [seen("/", "")]);
	const byHand = [...acts, "footfall()"];
	assert.deepEqual(await visit({ query: "&auto=0&spa=0", acts: byHand }), [seen("/b", "")]);
});

test("the first hit carries the campaign and the referrer of the arrival, whatever a router did to the address before it", async () => {
	const path = "/?utm_source=news";
	const replaced = ["history.replaceState({}, '', '/')", "footfall()", "footfall.micro('m')"];
	assert.deepEqual(await visit({ path, query: "&auto=0", acts: replaced }), [
		seen("/?utm_source=news", ""),
		seen("/", "", { e: "m", m: 1 }),
	]);
	const pushed = ["history.pushState({}, '', '/b')", "history.replaceState({}, '', '/c?x=1')"];
	assert.deepEqual(await visit({ path, query: "&auto=0", acts: pushed }), [
		seen("/b?utm_source=news", ""),
		seen("/c?x=1", "/b"),
	]);
	const event = ["history.replaceState({}, '', '/')", "footfall.conv('lead')"];
	assert.deepEqual(await visit({ path, query: "&auto=0", acts: event }), [
		seen("/?utm_source=news", "", { e: "lead" }),
	]);
});

test("in a frame nothing goes out by itself, calls do", async () => {
	const acts = ["history.pushState({}, '', '/framed/2')", "footfall.micro('inside')"];
	stage.pages.set("/framed", { html: `framed${stage.script()}` });
	stage.pages.set("/", { html: `<iframe src="/framed"></iframe>${stage.script("&auto=0")}` });
	const page = await stage.newPage();
	await page.goto(`${stage.site}/`);
	const frame = page.frames()[1];
	assert.ok(frame);
	for (const act of acts) await frame.evaluate(act);
	assert.deepEqual(await stage.hitsUntilEnd(page), [seen("/framed/2", "/", { e: "inside", m: 1 })]);
});

const beacons: Record<string, string> = {
	"beacons as the browser has them": "",
	"no sendBeacon": "navigator.sendBeacon = undefined",
	"a sendBeacon that refuses": "navigator.sendBeacon = () => false",
	"a sendBeacon that throws": "navigator.sendBeacon = () => { throw new Error('blocked') }",
	"keepalive requests that fail":
		"{ const send = fetch; navigator.sendBeacon = undefined; window.fetch = (to, how) => how.keepalive ? Promise.reject(new Error('no')) : send(to, how) }",
};

for (const [name, script] of Object.entries(beacons)) {
	test(`with ${name}, more than 64 KiB of events at once arrive, each once`, { timeout: 60_000 }, async () => {
		const text = "w".repeat(11_000);
		const sends = `for (let row = 1; row <= 7; row++) footfall.micro("row-read", { row, text: "w".repeat(11000) })`;
		const hits = await visit({
			before: `<script>${script}</script>`,
			acts: [`${sends}; footfall.conv("purchase", 24.5, { order: "M-7" })`],
			least: 9,
		});
		const sort = (seen: Seen[]) => seen.map((hit) => JSON.stringify(hit)).sort();
		const rows = [1, 2, 3, 4, 5, 6, 7].map((row) => seen("/", "", { e: "row-read", m: 1, x: { row, text } }));
		const bought = seen("/", "", { e: "purchase", v: 24.5, x: { order: "M-7" } });
		assert.deepEqual(sort(hits), sort([seen("/", ""), ...rows, bought]));
		assert.deepEqual(stage.errors, []);
	});
}

test("the values of the script are read-only", async () => {
	const look = `(() => {
		"use strict";
		const names = ["accountId", "sessionId", "tz", "autoMode", "spaMode"];
		const values = names.map((name) => footfall[name]);
		const refused = names.filter((name) => { try { footfall[name] = 1 } catch { return true } });
		return { values: values.map((v, i) => i === 1 ? typeof v : v), refused };
	})()`;
	stage.pages.set("/", { html: stage.script("&spa=0") });
	const page = await stage.newPage();
	await page.goto(`${stage.site}/`);
	assert.deepEqual(await page.evaluate(look), {
		values: ["shop", "string", "Europe/Madrid", true, false],
		refused: ["accountId", "sessionId", "tz", "autoMode", "spaMode"],
	});
	await stage.hitsUntilEnd(page);
});

test("the session hint lives as long as the page, and nothing is stored or sent back", async () => {
	stage.pages.set("/", { html: stage.script() });
	const page = await stage.newPage();
	await page.goto(`${stage.site}/`);
	const hints = [await page.evaluate("footfall.sessionId")];
	await page.reload();
	hints.push(await page.evaluate("footfall.sessionId"));
	assert.notEqual(hints[0], hints[1]);
	const stored = "[document.cookie, localStorage.length, sessionStorage.length]";
	assert.deepEqual(await page.evaluate(stored), ["", 0, 0]);
	await stage.hitsUntilEnd(page);
});

test("a script tag that runs twice counts once", async () => {
	const again = `new Promise((done) => {
		const tag = document.createElement("script");
		tag.src = document.querySelector("script[src]").src;
		tag.onload = () => done();
		document.head.append(tag);
	})`;
	const hits = await visit({ acts: [again, "history.pushState({}, '', '/b')"] });
	assert.deepEqual(hits, [seen("/", ""), seen("/b", "/")]);
});

test("a script that cannot see its own address, as a module, sends to the one that the server filled in", async () => {
	const root = encodeURIComponent(`${stage.collector}/`);
	const html = stage.script(`&root=${root}`).replace("<script ", '<script type="module" crossorigin ');
	stage.pages.set("/", { html });
	const page = await stage.newPage();
	await page.goto(`${stage.site}/`);
	assert.deepEqual(await stage.hitsUntilEnd(page), [seen("/", "")]);
});

test("a page rendered ahead of a click counts when it is shown", async () => {
	const before = "<script>Object.defineProperty(document, 'prerendering', { value: true })</script>";
	const shown = "document.dispatchEvent(new Event('prerenderingchange'))";
	assert.deepEqual(await visit({ before }), []);
	assert.deepEqual(await visit({ before, acts: [shown] }), [seen("/", "")]);
});
