import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, beforeEach, test } from "node:test";
import { openStage, served } from "./stage.ts";

const stage = await openStage();
after(() => stage.close());
beforeEach(() => {
	stage.errors.length = 0;
	stage.pages.clear();
});

/** Clicks without leaving the page. */
const click = (selector: string, button = 0) =>
	`(() => {
		const name = ${button} ? "auxclick" : "click";
		document.addEventListener(name, (e) => e.preventDefault(), { once: true });
		const options = { bubbles: true, cancelable: true, composed: true, button: ${button} };
		document.querySelector(${JSON.stringify(selector)}).dispatchEvent(new MouseEvent(name, options));
	})()`;
const links = `
	<a id="away" href="https://other.example/page?session=secret#part"><b>other</b></a>
	<a id="own" href="/own">own</a>
	<a id="file" href="/files/guide.PDF?key=secret">guide</a>
	<a id="named" href="/report" download>report</a>
	<a id="far" href="https://cdn.example/app.zip">app</a>
	<a id="mail" href="mailto:someone@example.com">mail</a>
	<a id="script" href="javascript:void 0">script</a>
	<a id="none">none</a><p id="text">text</p>`;
const all = ["away", "own", "file", "named", "far", "mail", "script", "none", "text"].map((id) => click(`#${id}`));
const shadow = `<div id="host"></div><script>
	host.attachShadow({ mode: "open" }).innerHTML = '<a href="https://deep.example/x">deep</a>';
</script>`;
const deep = click("#host").replace("document.querySelector", "host.shadowRoot.querySelector").replace("#host", "a");
const stopped =
	'<script>away.addEventListener("click", (e) => { e.preventDefault(); e.stopImmediatePropagation() })</script>';
const forms = `
	<form id="signup" onsubmit="return false"><input name="id" value="x"></form>
	<form name="search" onsubmit="return false"><input name="name"></form>
	<form id="invalid" onsubmit="return false"><input required></form>`;
const tall = '<div style="height: 10000px"></div>';
const scrollTo = (part: number) =>
	`new Promise((done) => {
		addEventListener("scroll", () => requestAnimationFrame(() => done()), { once: true });
		scrollTo(0, document.documentElement.scrollHeight * ${part} - innerHeight);
	})`;

const outbound = "outbound https://other.example/page";
const app = "download https://cdn.example/app.zip";
/** Automatic events: what is asked for, the page, what is done there, and the events that come, without those of page views. */
const automatic: readonly (readonly [
	title: string,
	events: string,
	html: string,
	acts: readonly string[],
	sent: readonly string[],
])[] = [
	["without a wish for them there are none", "", links, all, []],
	[
		"outbound: links to another host, without query and fragment",
		"outbound",
		links,
		all,
		[outbound, "outbound https://cdn.example/app.zip"],
	],
	[
		"download: files by their ending or the link's word, wherever they lie",
		"download",
		links,
		all,
		["download SITE/files/guide.PDF", "download SITE/report", app],
	],
	[
		"outbound and download: a file elsewhere is a download alone",
		"outbound,download",
		links,
		[click("#far"), click("#away b")],
		[app, outbound],
	],
	[
		"outbound: the middle button and links in a shadow tree count, the right button does not",
		"outbound",
		links + shadow,
		[click("#away", 1), click("#away", 2), deep],
		[outbound, "outbound https://deep.example/x"],
	],
	[
		"outbound: a listener of the page that stops the click hides nothing",
		"outbound",
		links + stopped,
		[click("#away")],
		[outbound],
	],
	[
		"form: a form that is submitted counts once, by its id or name, whatever its fields are called; an invalid one does not",
		"form",
		forms,
		["#signup", "[name=search]", "#invalid"].map((form) => `document.querySelector("${form}").requestSubmit()`),
		["form signup,/", "form search,/"],
	],
	["scroll: a page that nobody scrolls sends none", "scroll", tall, [], []],
	[
		"scroll: each quarter of the page once, in order",
		"scroll",
		tall,
		[scrollTo(0.8), scrollTo(0.3), scrollTo(1)],
		["scroll 25", "scroll 50", "scroll 75", "scroll 100"],
	],
	[
		"scroll: again on the next route",
		"scroll",
		tall,
		[scrollTo(0.55), "history.pushState({}, '', '/next')", scrollTo(0.3)],
		["scroll 25", "scroll 50", "scroll 25"],
	],
	[
		"scroll: again on the next route of a hash router",
		"scroll",
		tall,
		[scrollTo(0.3), "location.hash = '#/next'", scrollTo(0.55)],
		["scroll 25", "scroll 25", "scroll 50"],
	],
];

for (const [title, events, html, acts, sent] of automatic) {
	test(title, async () => {
		const hits = await stage.visit(`${stage.tag(events && `&events=${events}`)}${html}`, { acts });
		assert.deepEqual(stage.errors, []);
		const found = hits.flatMap(({ e, m, x }) => (e && m === 1 ? `${e} ${Object.values(x ?? {}).join()}` : []));
		assert.deepEqual(
			found.map((text) => text.replace(stage.site, "SITE")),
			sent,
		);
	});
}

test("404: a page that the server answers with this status, and no other", async () => {
	for (const status of [404, 410, 200]) {
		stage.pages.set("/lost", { html: stage.tag("&events=404"), status });
		const page = await stage.newPage();
		await page.goto(`${stage.site}/lost?x=1`);
		const missing = ["/lost?x=1", "", { e: "404", m: 1, x: { path: "/lost" } }] as const;
		const expected = stage.expect([["/lost?x=1"], ...(status === 404 ? [missing] : [])]);
		assert.deepEqual(await stage.hitsUntilEnd(page), expected, String(status));
		await page.context().close();
	}
});

const element = '<nav id="footfall"></nav>';
const frame = '<iframe name="footfall" src="http://other.test:1/"></iframe>';
const occupied: Record<string, string> = {
	"an element with the id": element,
	"two elements with the id": '<i id="footfall"></i><b id="footfall"></b>',
	"a form whose fields are called like the calls": '<form name="footfall"><input name="conv"><input name="q"></form>',
	"a frame of the name, of another origin": frame,
	"an object of the page": "<script>var footfall = { q: 5, conv: 1 };</script>",
	"a function of the page": "<script>function footfall() { throw new Error('theirs') }</script>",
};

test("with any value of the global name early calls arrive ahead of the page view, later ones too; without the stub the page counts", async () => {
	for (const [name, html] of Object.entries(occupied)) {
		const early = "<script>footfall.conv('enquiry', { room: 'blue' })</script>";
		const hits = await stage.visit(html + stage.tag() + early, { acts: ["footfall.micro('later')"] });
		assert.deepEqual(
			hits,
			stage.expect([["/", "", { e: "enquiry", x: { room: "blue" } }], ["/"], ["/", "", { e: "later", m: 1 }]]),
			name,
		);
		assert.deepEqual(await stage.visit(html + stage.script()), stage.expect([["/"]]), name);
		assert.deepEqual(stage.errors, [], name);
	}
});

/** The script as `/t.js` answers it. */
const copy = () => served(new URLSearchParams({ root: `${stage.collector}/` }));
const javascript = { "content-type": "text/javascript" };

test("pasted into the page or a file of the site's own, or as a module, it sends to the service", async () => {
	stage.pages.set("/assets/all.js", { html: `var first = 1;\n${copy()}\nvar last = 1;`, headers: javascript });
	stage.pages.set("/assets/all.mjs", { html: `${copy()}\nexport const last = 1;`, headers: javascript });
	const root = encodeURIComponent(`${stage.collector}/`);
	for (const [html, path = "/", counted = path] of [
		[`<script>${copy()}</script>`],
		[`<script data-hash>${copy()}</script>`, "/#/tents", "/tents"],
		['<script src="/assets/all.js?ver=7"></script>'],
		['<script type="module" src="/assets/all.mjs"></script>'],
		// A module does not see its own address, so it takes the one that the server filled in.
		[stage.script(`&root=${root}`).replace("<script ", '<script type="module" crossorigin ')],
	] as const)
		assert.deepEqual(await stage.visit(html, { path }), stage.expect([[counted]]), html.slice(0, 60));
});

test("under another name and address of the site it sends to event beside itself", async () => {
	stage.pages.set("/js/main.js", { html: copy(), headers: javascript });
	stage.pages.set("/", { html: '<script src="/js/main.js?id=shop" defer></script>' });
	const page = await stage.newPage();
	const hit = page.waitForRequest((request) => request.method() === "POST");
	await page.goto(`${stage.site}/`);
	assert.equal((await hit).url(), `${stage.site}/js/event`);
	await page.context().close();
});

test("the module for bundlers keeps a hundred early calls, loads the script and counts once, whatever has the global name", async () => {
	const loader = readFileSync(new URL("../dist/footfall.js", import.meta.url), "utf8");
	stage.pages.set("/assets/footfall.js", { html: loader, headers: javascript });
	const src = JSON.stringify(`${stage.collector}/t.js?id=shop`);
	const ready = "new Promise((done) => { (function look() { footfall.accountId ? done() : setTimeout(look) })() })";
	for (const before of ["", element, frame]) {
		const html = `${before}<script type="module">
			import { load } from "/assets/footfall.js";
			footfall.micro("early", { step: 1 });
			load({ src: ${src}, hash: true });
			load({ src: ${src}, hash: true });
		</script>`;
		assert.deepEqual(
			await stage.visit(html, { path: "/#/tents", acts: [ready] }),
			stage.expect([["/tents", "", { e: "early", m: 1, x: { step: 1 } }], ["/tents"]]),
		);
		assert.deepEqual(stage.errors, []);
	}
	const calls = 'import "/assets/footfall.js"; for (let n = 0; n < 120; n++) footfall.micro("m")';
	stage.pages.set("/", { html: `<script type="module">${calls}</script>` });
	const page = await stage.newPage();
	await page.goto(`${stage.site}/`);
	assert.equal(await page.evaluate("footfall.q.length"), 100);
	await page.context().close();
});

const use = "footfall(); footfall.conv('buy', 1, { n: 1 }); footfall.micro('m'); history.pushState({}, '', '/next')";

interface HostilePage {
	readonly head?: string;
	readonly policy?: string;
	readonly acts?: string;
	/** Further parameters of the script. */
	readonly query?: string;
	readonly hasNoCollector?: true;
}

const everyEvent = "&events=404,download,form,outbound,scroll";
const hostile: Record<string, HostilePage> = {
	"a circular property": { acts: "const o = {}; o.o = o; footfall.conv('buy', 1, o); footfall.micro('m', { n: 1n })" },
	"arguments of every wrong kind": {
		acts: "footfall(null); footfall(5); footfall.conv(); footfall.conv(Symbol.iterator); footfall.micro({}, 5); footfall.conv(null, {}, null)",
	},
	"a content policy that forbids the collector": { policy: "connect-src 'none'" },
	"trusted types": { policy: "require-trusted-types-for 'script'" },
	"an opaque sandbox": { policy: "sandbox allow-scripts" },
	"a frozen history": { head: "Object.freeze(history)" },
	"a fetch that rejects": {
		head: "navigator.sendBeacon = undefined; window.fetch = () => Promise.reject(new Error('no'))",
	},
	"a fetch that throws": { head: "navigator.sendBeacon = undefined; window.fetch = () => { throw new Error('no') }" },
	"no fetch and no beacon": { head: "navigator.sendBeacon = undefined; window.fetch = undefined" },
	"a time zone that throws": { head: "Intl.DateTimeFormat = () => { throw new Error('no') }", acts: "1" },
	"a global name that cannot be taken": {
		head: "Object.defineProperty(window, 'footfall', { value: 5 })",
		acts: "history.pushState({}, '', '/next')",
	},
	"a page rendered ahead that is hostile when it is shown": {
		head: "Object.defineProperty(document, 'prerendering', { value: true }); Object.freeze(history); window.footfall = { q: 5 }",
		acts: "document.dispatchEvent(new Event('prerenderingchange'))",
	},
	"a queue that is no queue": { head: "window.footfall = { q: 5 }" },
	"timings that throw": { head: "performance.getEntriesByType = () => { throw new Error('no') }", query: everyEvent },
	"clicks and scrolls on what is no link and no page": {
		query: everyEvent,
		acts: `for (const target of [window, document, document.body, new Text("x")]) {
			for (const name of ["click", "auxclick", "scroll"]) target.dispatchEvent(new Event(name, { bubbles: true }));
		}`,
	},
	"a collector that does not answer": { hasNoCollector: true },
};

for (const [name, { head = "", policy, acts = use, query, hasNoCollector }] of Object.entries(hostile)) {
	test(`the page sees no error with ${name}`, async () => {
		const html = `<!doctype html><script>${head}</script>${stage.script(query)}<p id="loaded">`;
		stage.pages.set("/", { html, headers: policy === undefined ? {} : { "content-security-policy": policy } });
		const page = await stage.newPage();
		if (hasNoCollector) await page.route("**/event", (route) => route.abort());
		await page.goto(`${stage.site}/`);
		await page.evaluate(`(() => { ${acts} })()`).catch((error: Error) => {
			if (!/sandbox/.test(name)) throw error;
		});
		// Rejections are reported a task later than their cause.
		await page.evaluate("new Promise((done) => setTimeout(done))");
		await page.context().close();
		assert.deepEqual(stage.errors, []);
	});
}
