import assert from "node:assert/strict";
import { after, beforeEach, test } from "node:test";
import { type Expected, openStage, type Seen } from "./stage.ts";

const stage = await openStage();
after(() => stage.close());
beforeEach(() => {
	stage.errors.length = 0;
	stage.pages.clear();
});

test("a page that opens sends one page view as a CORS-simple request with every field of the wire", async () => {
	stage.pages.set("/a", { html: `<title>A</title>${stage.script()}` });
	const page = await stage.newPage();
	const [request] = await Promise.all([
		page.waitForRequest((one) => one.url() === `${stage.collector}/event`),
		page.goto(`${stage.site}/a?utm_source=news#part`),
	]);
	assert.deepEqual([request.method(), request.resourceType()], ["POST", "ping"]);
	await page.evaluate("footfall.micro('end')");
	const first = await stage.first();
	assert.deepEqual([first.contentType, first.origin], ["text/plain;charset=UTF-8", stage.site]);
	assert.deepEqual(first.hit, {
		a: "shop",
		t: "MTc5NTIxOTIwMDo5ZjJjNGUwYTFiNmQ4NzM1YWVmMDQ5MTJjN2I4ZDNlNg",
		u: `${stage.site}/a?utm_source=news`,
		r: "",
		z: "Europe/Madrid",
		g: "",
	});
	await stage.hitsUntilEnd(page);
});

test("a link to another page sends the page before as referrer", async () => {
	stage.pages.set("/one", { html: `<a href="/two">two</a>${stage.script()}` });
	stage.pages.set("/two", { html: `two${stage.script()}`, headers: { "referrer-policy": "unsafe-url" } });
	const page = await stage.newPage();
	await page.goto(`${stage.site}/one?x=1`);
	await page.click("a");
	await page.waitForFunction("window.footfall && location.pathname === '/two'");
	assert.deepEqual(await stage.hitsUntilEnd(page), stage.expect([["/one?x=1"], ["/two", "/one?x=1"]]));
});

/** A visit of a page with the tracker, and the hits that come of it. */
interface Visit {
	readonly path?: string;
	/** HTML before the tracker, and after it. */
	readonly before?: string;
	readonly after?: string;
	/** Parameters of the script. */
	readonly query?: string;
	/** Attributes of the script, which then comes without the stub that keeps early calls. */
	readonly attributes?: string;
	readonly acts?: readonly string[];
	readonly hits: readonly Expected[];
}

const push = (to: string) => `history.pushState({}, '', '${to}')`;
const replace = (to: string) => `history.replaceState({}, '', '${to}')`;
const once = (event: string, act: string) =>
	`new Promise((done) => { addEventListener('${event}', () => done(), { once: true }); ${act} })`;
const hash = (to: string) => once("hashchange", `location.hash = '${to}'`);
const finished = (act: string) => `navigation.${act}.finished.then(() => {})`;
const click = (text: string) =>
	`(async () => { [...document.links].find((link) => link.text === "${text}").click(); await navigation.transition?.finished; })()`;
/** A router on the Navigation API, as the browser documents it: no call of pushState anywhere. */
const router = `<a href="/rugs">Rugs</a> <a href="/looms">Looms</a> <a href="#foot">Foot</a> <a href="/looms?tab=2">Tab</a><p id="foot"></p>
<script>navigation.addEventListener("navigate", (event) => {
	if (event.canIntercept && !event.hashChange) event.intercept({ handler: async () => {} });
})</script>`;
/** Chromium under remote control keeps no pages, so the event comes from the test; Firefox does keep them in its own. */
const show = (persisted: boolean) => `dispatchEvent(new PageTransitionEvent("pageshow", { persisted: ${persisted} }))`;
const rendersAhead = "<script>Object.defineProperty(document, 'prerendering', { value: true })</script>";
const stub = `<script>
	window.footfall = function () { (footfall.q = footfall.q || []).push(["pv", arguments]) };
	footfall.conv = function () { (footfall.q = footfall.q || []).push(["cv", arguments]) };
	footfall.micro = function () { (footfall.q = footfall.q || []).push(["mc", arguments]) };
	footfall.micro("early", { a: 1 }); footfall({ group: "queued" }); footfall.q.push(["zz", 1], null, 5);
	footfall.conv("buy", "59.90", { b: 2 });
</script>`;
const again = `new Promise((done) => {
	const tag = document.createElement("script");
	tag.src = document.querySelector("script[src]").src;
	tag.onload = () => done();
	document.head.append(tag);
})`;
const campaign = "/?utm_source=news";
/** A visit by a campaign's link, of which the script sends nothing by itself. */
const arrival = (acts: readonly string[], hits: readonly Expected[]): Visit => ({
	path: campaign,
	query: "&auto=0",
	acts,
	hits,
});

const visits: Readonly<Record<string, readonly Visit[]>> = {
	"pushState, replaceState and going back send a page view of each new address, with the one before as referrer": [
		{ acts: [push("/b?x=1#top"), push("/c")], hits: [["/"], ["/b?x=1", "/"], ["/c", "/b?x=1"]] },
		{ acts: ["history.replaceState({ a: 1 }, '')", replace("/other")], hits: [["/"], ["/other", "/"]] },
		// Not every browser has the Navigation API.
		...["", "<script>Object.defineProperty(window, 'navigation', { value: undefined })</script>"].map((before) => ({
			before,
			acts: [push("/b"), once("popstate", "history.back()")],
			hits: [["/"], ["/b", "/"], ["/", "/b"]] as const,
		})),
	],
	"a change of the fragment alone sends nothing, after a replaced query and before the first hit neither": [
		{ acts: [hash("x"), push("#y"), push("/#z")], hits: [["/"]] },
		{ acts: [replace("/?q=t"), hash("x")], hits: [["/"]] },
		{ query: "&auto=0", acts: [replace("/?q=t"), hash("x")], hits: [] },
	],
	"replaceState counts a new path, and no change of the query alone; pushState counts both": [
		{ path: campaign, acts: [replace("/")], hits: [[campaign]] },
		{
			acts: [replace("/search?q=t"), replace("/search?q=te"), replace("/search"), push("/search?page=2")],
			hits: [["/"], ["/search?q=t", "/"], ["/search?page=2", "/search"]],
		},
	],
	"pushState keeps its errors and its effect for the page": [
		{
			acts: [
				"history.pushState({ n: 7 }, '', '/kept'); if (history.state.n !== 7) throw new Error('state')",
				"try { history.pushState({}, '', 'https://elsewhere.example/'); throw new Error('none') } catch (e) { if (e.name !== 'SecurityError') throw e }",
			],
			hits: [["/"], ["/kept", "/"]],
		},
	],
	"each navigation of a router on the Navigation API counts once, a fragment, a replaced query and a reload do not": [
		{
			before: router,
			acts: [
				...[click("Rugs"), click("Looms"), click("Foot"), finished("back()"), finished("back()")],
				push("/wool"),
				finished("navigate('/wool?dyed=1', { history: 'replace' })"),
				"navigation.updateCurrentEntry({ state: 1 })",
				click("Foot"),
				finished("reload()"),
				finished("navigate('/felt', { history: 'replace' })"),
				click("Tab"),
			],
			hits: [
				...([["/"], ["/rugs", "/"], ["/looms", "/rugs"], ["/rugs", "/looms"], ["/wool", "/rugs"]] as const),
				...([
					["/felt", "/wool?dyed=1"],
					["/looms?tab=2", "/felt"],
				] as const),
			],
		},
	],
	"with data-hash the routes of a hash router are paths with the query of the page; a fragment that is no route is not sent":
		[
			{
				path: "/app/?utm_source=news#/",
				attributes: "data-hash",
				acts: [
					...[hash("#/tents"), hash("#/tents/7?size=m"), replace("#/tents/7?size=l"), replace("#!/cart")],
					...[push("#/cart/pay"), once("hashchange", "history.back()")],
				],
				hits: [
					["/app/?utm_source=news"],
					["/app/tents?utm_source=news", "/app/?utm_source=news"],
					["/app/tents/7?utm_source=news", "/app/tents?utm_source=news"],
					["/app/cart?utm_source=news", "/app/tents/7?utm_source=news"],
					["/app/cart/pay?utm_source=news", "/app/cart?utm_source=news"],
					["/app/cart?utm_source=news", "/app/cart/pay?utm_source=news"],
				],
			},
			{
				path: "/app#part",
				attributes: "data-hash",
				acts: [hash("#top"), hash("#access_token=secret"), "footfall.micro('step')"],
				hits: [["/app"], ["/app", "", { e: "step", m: 1 }]],
			},
		],
	"a page that comes back from the back/forward cache counts again, one that is shown without having been kept does not":
		[
			{ path: "/a", acts: [show(true)], hits: [["/a"], ["/a"]] },
			{ acts: [show(false)], hits: [["/"]] },
			{ query: "&auto=0", acts: [show(true)], hits: [] },
		],
	"a page rendered ahead of a click counts when it is shown": [
		{ before: rendersAhead, hits: [] },
		{ before: rendersAhead, acts: ["document.dispatchEvent(new Event('prerenderingchange'))"], hits: [["/"]] },
	],
	"auto=0 leaves out the first page view only, spa=0 those of routes only; a page view by hand takes its own group, else that of the script":
		[
			{ query: "&auto=0", acts: [push("/b")], hits: [["/b"]] },
			{ query: "&spa=0", acts: [push("/b")], hits: [["/"]] },
			{ query: "&auto=0&spa=0", acts: [push("/b"), "footfall()"], hits: [["/b"]] },
			{
				query: "&group=docs",
				acts: ["footfall()", "footfall({ group: 'blog' })"],
				hits: ["docs", "docs", "blog"].map((g) => ["/", "", { g }] as const),
			},
		],
	"the first hit carries the campaign and the referrer of the arrival, whatever a router did to the address before it":
		[
			arrival([replace("/"), "footfall()", "footfall.micro('m')"], [[campaign], ["/", "", { e: "m", m: 1 }]]),
			arrival([push("/b"), replace("/c?x=1")], [["/b?utm_source=news"], ["/c?x=1", "/b"]]),
			arrival([replace("/"), "footfall.conv('lead')"], [[campaign, "", { e: "lead" }]]),
		],
	"calls between the tag and the script are sent in order, ahead of the first page view; a broken entry harms no other":
		[
			{
				before: stub,
				attributes: "async",
				hits: [
					["/", "", { e: "early", m: 1, x: { a: 1 } }],
					["/", "", { g: "queued" }],
					["/", "", { e: "buy", v: "59.90", x: { b: 2 } }],
					["/"],
				],
			},
			{
				after: "<script>footfall.conv('buy', '59.90'); footfall.micro('step'); footfall({ group: 'early' })</script>",
				hits: [["/", "", { e: "buy", v: "59.90" }], ["/", "", { e: "step", m: 1 }], ["/", "", { g: "early" }], ["/"]],
			},
		],
	"a script tag that runs twice counts once": [{ acts: [again, push("/b")], hits: [["/"], ["/b", "/"]] }],
};

for (const [name, all] of Object.entries(visits)) {
	test(name, async () => {
		for (const { hits, before = "", after = "", query, attributes, ...options } of all) {
			const script = attributes === undefined ? stage.tag(query) : stage.script(query, attributes);
			assert.deepEqual(await stage.visit(before + script + after, options), stage.expect(hits), `${options.acts}`);
		}
		assert.deepEqual(stage.errors, []);
	});
}

const calls: Readonly<Record<string, Readonly<Record<string, Partial<Seen>>>>> = {
	"an amount is sent as it is, number or text, so that the collector can read it or say that it is none": {
		"conv('buy', 59.9)": { e: "buy", v: 59.9 },
		"conv('refund', -5)": { e: "refund", v: -5 },
		"conv('buy', 0)": { e: "buy", v: 0 },
		"conv('buy', 10n)": { e: "buy", v: "10" },
		"conv('buy', '59.90')": { e: "buy", v: "59.90" },
		"conv('buy', '')": { e: "buy", v: "" },
		"conv('buy', '1.234,50')": { e: "buy", v: "1.234,50" },
		"conv('buy', '€ 12')": { e: "buy", v: "€ 12" },
		"conv('buy', NaN)": { e: "buy", v: "NaN" },
		"conv('buy', Infinity)": { e: "buy", v: "Infinity" },
	},
	"properties may stand in the place of an amount, an amount may be null, and properties that are none are left out": {
		"conv('lead')": { e: "lead" },
		"conv('lead', { order: 'A' })": { e: "lead", x: { order: "A" } },
		"conv('lead', null, { order: 'B' })": { e: "lead", x: { order: "B" } },
		"conv('lead', null)": { e: "lead" },
		"conv('buy', 3, { items: [{ sku: 'x' }] })": { e: "buy", v: 3, x: { items: [{ sku: "x" }] } },
		"conv('buy', 3, 'A')": { e: "buy", v: 3 },
		"micro('step', { plan: 'free' })": { e: "step", m: 1, x: { plan: "free" } },
		"micro('step', 5)": { e: "step", m: 1, v: 5 },
		"micro('step', 'free')": { e: "step", m: 1, v: "free" },
		"micro(404)": { e: "404", m: 1 },
	},
};

for (const [name, events] of Object.entries(calls)) {
	test(name, async () => {
		const acts = Object.keys(events).map((call) => `footfall.${call}`);
		const expected = Object.values(events).map((event) => ["/", "", event] as const);
		assert.deepEqual(await stage.visit(stage.tag("&auto=0"), { acts }), stage.expect(expected));
		assert.deepEqual(stage.errors, []);
	});
}

test("an amount that cannot be read is told in the console, and no other value", async () => {
	const warned = ["'€ 12'", "NaN", "'twelve'"];
	const silent = ["59.9", "'59,90'", "' 1.234,50 '", "''", "null", "{ plan: 'free' }", "10n"];
	const acts = [...warned, ...silent].map((value) => `footfall.conv('buy', ${value})`);
	stage.warnings.length = 0;
	await stage.visit(stage.tag("&auto=0"), { acts: [...acts, "footfall.micro('step', 'free')"] });
	assert.deepEqual(
		stage.warnings,
		["€ 12", "NaN", "twelve"].map((value) => `footfall: bad amount ${value}`),
	);
});

test("without the script every call of the tag's stub is harmless, and it keeps a hundred of them", async () => {
	stage.pages.set("/", { html: stage.tag().replace("/t.js", "/blocked") });
	const page = await stage.newPage();
	await page.route("**/blocked*", (route) => route.abort());
	await page.goto(`${stage.site}/`);
	const many = "for (let n = 0; n < 60; n++) { footfall.conv('buy', n, {}); footfall.micro('m') } footfall()";
	assert.equal(await page.evaluate(`${many}; footfall.q.length`), 100);
	await page.context().close();
	assert.deepEqual(stage.errors, []);
});

test("in a frame nothing goes out by itself, calls do", async () => {
	stage.pages.set("/framed", { html: `<a href="https://other.example/">away</a>${stage.script("&events=outbound")}` });
	stage.pages.set("/", { html: `<iframe src="/framed"></iframe>${stage.script("&auto=0")}` });
	const page = await stage.newPage();
	await page.goto(`${stage.site}/`);
	const frame = page.frames()[1];
	assert.ok(frame);
	const away = "document.addEventListener('click', (e) => e.preventDefault()); document.querySelector('a').click()";
	for (const act of [away, push("/framed/2"), "footfall.micro('inside')"]) await frame.evaluate(act);
	assert.deepEqual(await stage.hitsUntilEnd(page), stage.expect([["/framed/2", "/", { e: "inside", m: 1 }]]));
	await page.context().close();
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
		const hits = await stage.visit(`<script>${script}</script>${stage.script()}`, { acts: [sends], least: 8 });
		const sort = (seen: readonly Seen[]) => seen.map((hit) => JSON.stringify(hit)).sort();
		const rows = [1, 2, 3, 4, 5, 6, 7].map((row) => ["/", "", { e: "row-read", m: 1, x: { row, text } }] as const);
		assert.deepEqual(sort(hits), sort(stage.expect([["/"], ...rows])));
		assert.deepEqual(stage.errors, []);
	});
}

test("the values of the script are read-only, its session hint lives as long as the page, and nothing is stored", async () => {
	const names = ["accountId", "tz", "autoMode", "spaMode", "sessionId"];
	const look = `(() => {
		"use strict";
		const names = ${JSON.stringify(names)};
		const refused = names.filter((name) => { try { footfall[name] = 1 } catch { return true } });
		return [names.map((name) => footfall[name]), refused];
	})()`;
	stage.pages.set("/", { html: stage.script("&spa=0") });
	const page = await stage.newPage();
	await page.goto(`${stage.site}/`);
	const hint = await page.evaluate<string>("footfall.sessionId");
	assert.deepEqual(await page.evaluate(look), [["shop", "Europe/Madrid", true, false, hint], names]);
	await page.reload();
	assert.notEqual(await page.evaluate("footfall.sessionId"), hint);
	const stored = "[document.cookie, localStorage.length, sessionStorage.length]";
	assert.deepEqual(await page.evaluate(stored), ["", 0, 0]);
	await stage.hitsUntilEnd(page);
	await page.context().close();
});
