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
		seen("/search?page=2", "/search?q=t"),
	]);
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
