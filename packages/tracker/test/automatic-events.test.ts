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

/** The events, without page views, that come from a page with these automatic events. */
async function eventsOn(events: string, html: string, acts: readonly string[]) {
	const hits = await stage.visit(`${stage.tag(events && `&events=${events}`)}${html}`, { acts });
	assert.deepEqual(stage.errors, []);
	return hits.filter(({ e }) => e !== undefined).map(({ e, m, x }) => ({ e, m, x }));
}

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
const event = (e: string, x: object) => ({ e, m: 1, x });

test("without a wish for them there are none", async () => {
	assert.deepEqual(await eventsOn("", links, all), []);
});

test("outbound: links to another host, without query and fragment", async () => {
	assert.deepEqual(await eventsOn("outbound", links, all), [
		event("outbound", { url: "https://other.example/page" }),
		event("outbound", { url: "https://cdn.example/app.zip" }),
	]);
});

test("download: files by their ending or the link's word, wherever they lie", async () => {
	assert.deepEqual(await eventsOn("download", links, all), [
		event("download", { url: `${stage.site}/files/guide.PDF` }),
		event("download", { url: `${stage.site}/report` }),
		event("download", { url: "https://cdn.example/app.zip" }),
	]);
});

test("outbound and download: a file elsewhere is a download alone", async () => {
	assert.deepEqual(await eventsOn("outbound,download", links, [click("#far"), click("#away b")]), [
		event("download", { url: "https://cdn.example/app.zip" }),
		event("outbound", { url: "https://other.example/page" }),
	]);
});

test("outbound: the middle button and links in a shadow tree count, the right button does not", async () => {
	const shadow = `<div id="host"></div><script>
		host.attachShadow({ mode: "open" }).innerHTML = '<a href="https://deep.example/x">deep</a>';
	</script>`;
	const deep = click("#host").replace("document.querySelector", "host.shadowRoot.querySelector").replace("#host", "a");
	assert.deepEqual(await eventsOn("outbound", links + shadow, [click("#away", 1), click("#away", 2), deep]), [
		event("outbound", { url: "https://other.example/page" }),
		event("outbound", { url: "https://deep.example/x" }),
	]);
});

test("outbound: a listener of the page that stops the click hides nothing", async () => {
	const stopped = `${links}<script>away.addEventListener("click", (e) => { e.preventDefault(); e.stopImmediatePropagation() })</script>`;
	assert.deepEqual(await eventsOn("outbound", stopped, [click("#away")]), [
		event("outbound", { url: "https://other.example/page" }),
	]);
});

test("404: a page that the server answers with this status, and no other", async () => {
	for (const [status, expected] of [
		[404, [event("404", { path: "/lost" })]],
		[410, []],
		[200, []],
	] as const) {
		stage.pages.set("/lost", { html: stage.tag("&events=404"), status });
		const page = await stage.newPage();
		await page.goto(`${stage.site}/lost?x=1`);
		const [view, ...events] = await stage.hitsUntilEnd(page);
		await page.context().close();
		assert.deepEqual(view, seen("/lost?x=1", ""));
		assert.deepEqual(
			events.map(({ e, m, x }) => ({ e, m, x })),
			expected,
		);
	}
});

const scrollTo = (part: number) =>
	`new Promise((done) => {
		addEventListener("scroll", () => requestAnimationFrame(() => done()), { once: true });
		scrollTo(0, document.documentElement.scrollHeight * ${part} - innerHeight);
	})`;
const depths = (...all: number[]) => all.map((depth) => event("scroll", { depth }));

test("scroll: each quarter of the page once, in order, and again on the next route", async () => {
	const tall = '<div style="height: 10000px"></div>';
	assert.deepEqual(await eventsOn("scroll", tall, []), []);
	assert.deepEqual(await eventsOn("scroll", tall, [scrollTo(0.3)]), depths(25));
	assert.deepEqual(
		await eventsOn("scroll", tall, [scrollTo(0.8), scrollTo(0.3), scrollTo(1)]),
		depths(25, 50, 75, 100),
	);
	const routed = [scrollTo(0.55), "history.pushState({}, '', '/next')", scrollTo(0.3)];
	assert.deepEqual(await eventsOn("scroll", tall, routed), depths(25, 50, 25));
});

test("in a frame there are none", async () => {
	stage.pages.set("/framed", { html: `${links}${stage.tag("&events=outbound")}` });
	stage.pages.set("/", { html: `<iframe src="/framed"></iframe>${stage.tag("&auto=0")}` });
	const page = await stage.newPage();
	await page.goto(`${stage.site}/`);
	await page.frames()[1]?.evaluate(click("#away"));
	assert.deepEqual(await stage.hitsUntilEnd(page), []);
	await page.context().close();
});
