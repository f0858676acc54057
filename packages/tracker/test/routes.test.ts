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

test("replaceState counts a new path, and no change of the query alone; pushState counts both", async () => {
	const acts = [
		"history.replaceState({}, '', '/search?q=t')",
		"history.replaceState({}, '', '/search?q=te')",
		"history.replaceState({}, '', '/search')",
		"history.pushState({}, '', '/search?page=2')",
	];
	const path = "/?utm_source=news&utm_medium=email";
	const cleaned = await stage.visit(stage.tag(), { path, acts: ["history.replaceState({}, '', '/')"] });
	assert.deepEqual(cleaned, [seen(path, "")]);
	assert.deepEqual(await stage.visit(stage.tag(), { acts }), [
		seen("/", ""),
		seen("/search?q=t", "/"),
		seen("/search?page=2", "/search"),
	]);
});

/** A router on the Navigation API, as the browser documents it: no call of pushState anywhere. */
const router = `<a href="/rugs">Rugs</a> <a href="/looms">Looms</a> <a href="#foot">Foot</a> <a href="/looms?tab=2">Tab</a><p id="foot"></p>
<script>navigation.addEventListener("navigate", (event) => {
	if (event.canIntercept && !event.hashChange) event.intercept({ handler: async () => {} });
})</script>`;
const click = (text: string) =>
	`(async () => { [...document.links].find((link) => link.text === "${text}").click(); await navigation.transition?.finished; })()`;

test("each navigation of a router on the Navigation API counts once, a fragment, a replaced query and a reload do not", async () => {
	const acts = [
		click("Rugs"),
		click("Looms"),
		click("Foot"),
		"navigation.back().finished.then(() => {})",
		"navigation.back().finished.then(() => {})",
		"history.pushState({}, '', '/wool')",
		"navigation.navigate('/wool?dyed=1', { history: 'replace' }).finished.then(() => {})",
		"navigation.updateCurrentEntry({ state: 1 })",
		click("Foot"),
		"navigation.reload().finished.then(() => {})",
		"navigation.navigate('/felt', { history: 'replace' }).finished.then(() => {})",
		click("Tab"),
	];
	assert.deepEqual(await stage.visit(router + stage.tag(), { acts }), [
		seen("/", ""),
		seen("/rugs", "/"),
		seen("/looms", "/rugs"),
		seen("/rugs", "/looms"),
		seen("/wool", "/rugs"),
		seen("/felt", "/wool?dyed=1"),
		seen("/looms?tab=2", "/felt"),
	]);
	assert.deepEqual(stage.errors, []);
});

test("a fragment after a replaced query is no page, before the first hit neither", async () => {
	const hash =
		"new Promise((done) => { addEventListener('hashchange', () => done(), { once: true }); location.hash = 'x'; })";
	const acts = ["history.replaceState({}, '', '/?q=t')", hash];
	assert.deepEqual(await stage.visit(stage.tag(), { acts }), [seen("/", "")]);
	assert.deepEqual(await stage.visit(stage.tag("&auto=0"), { acts }), []);
});

/** Chromium under remote control keeps no pages, so the event comes from the test; Firefox does keep them in its own. */
const show = (persisted: boolean) => `dispatchEvent(new PageTransitionEvent("pageshow", { persisted: ${persisted} }))`;

test("a page that comes back from the back/forward cache counts again, as a reload would", async () => {
	const acts = ["footfall.micro('step')", show(true)];
	assert.deepEqual(await stage.visit(stage.tag(), { path: "/a", acts }), [
		seen("/a", ""),
		seen("/a", "", { e: "step", m: 1 }),
		seen("/a", ""),
	]);
});

test("a page that is shown without having been kept counts once, and with auto=0 none counts by itself", async () => {
	assert.deepEqual(await stage.visit(stage.tag(), { acts: [show(false)] }), [seen("/", "")]);
	assert.deepEqual(await stage.visit(stage.tag("&auto=0"), { acts: [show(true)] }), []);
});

const go = (hash: string) =>
	`new Promise((done) => { addEventListener('hashchange', () => done(), { once: true }); location.hash = '${hash}' })`;

test("with data-hash the routes of a hash router are paths, with the query of the page behind them", async () => {
	const acts = [
		go("#/tents"),
		go("#/tents/7?size=m"),
		"history.replaceState({}, '', '#/tents/7?size=l')",
		"history.replaceState({}, '', '#!/cart')",
		"history.pushState({}, '', '#/cart/pay')",
		"new Promise((done) => { addEventListener('hashchange', () => done(), { once: true }); history.back() })",
	];
	const html = stage.script("", "data-hash");
	assert.deepEqual(await stage.visit(html, { path: "/app/?utm_source=news#/", acts }), [
		seen("/app/?utm_source=news", ""),
		seen("/app/tents?utm_source=news", "/app/?utm_source=news"),
		seen("/app/tents/7?utm_source=news", "/app/tents?utm_source=news"),
		seen("/app/cart?utm_source=news", "/app/tents/7?utm_source=news"),
		seen("/app/cart/pay?utm_source=news", "/app/cart?utm_source=news"),
		seen("/app/cart?utm_source=news", "/app/cart/pay?utm_source=news"),
	]);
});

test("with data-hash a fragment that is no route is neither counted nor sent", async () => {
	const acts = [go("#top"), go("#access_token=secret"), "footfall.micro('step')"];
	const html = stage.script("", "data-hash");
	assert.deepEqual(await stage.visit(html, { path: "/app#part", acts }), [
		seen("/app", ""),
		seen("/app", "", { e: "step", m: 1 }),
	]);
});
