import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, beforeEach, test } from "node:test";
import { openStage, type Seen, type Stage, served } from "./stage.ts";

const loader = readFileSync(new URL("../dist/footfall.js", import.meta.url), "utf8");
const javascript = { "content-type": "text/javascript" };

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

/** The script as `/t.js` answers it. */
const copy = () => served(new URLSearchParams({ root: `${stage.collector}/` }));

test("pasted into the page it sends to the service", async () => {
	assert.deepEqual(await stage.visit(`<script>${copy()}</script>`), [seen("/", "")]);
});

test("pasted into the page it takes data-hash too", async () => {
	const html = `<script data-hash>${copy()}</script>`;
	assert.deepEqual(await stage.visit(html, { path: "/#/tents" }), [seen("/tents", "")]);
});

test("within a file of the site's own it sends to the service, not beside that file", async () => {
	stage.pages.set("/assets/all.js", { html: `var first = 1;\n${copy()}\nvar last = 1;`, headers: javascript });
	assert.deepEqual(await stage.visit('<script src="/assets/all.js?ver=7"></script>'), [seen("/", "")]);
});

test("within a module it sends to the service", async () => {
	stage.pages.set("/assets/all.mjs", { html: `${copy()}\nexport const last = 1;`, headers: javascript });
	assert.deepEqual(await stage.visit('<script type="module" src="/assets/all.mjs"></script>'), [seen("/", "")]);
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

const occupied = ["", '<nav id="footfall"></nav>', '<iframe name="footfall" src="http://other.test:1/"></iframe>'];

test("the module for bundlers keeps early calls, loads the script and counts once, whatever has the global name", async () => {
	for (const html of occupied) await loadTwice(html);
});

async function loadTwice(before: string) {
	stage.pages.set("/assets/footfall.js", { html: loader, headers: javascript });
	const src = JSON.stringify(`${stage.collector}/t.js?id=shop`);
	const html = `${before}<script type="module">
		import { load } from "/assets/footfall.js";
		footfall.micro("early", { step: 1 });
		load({ src: ${src}, hash: true });
		load({ src: ${src}, hash: true });
	</script>`;
	const ready = "new Promise((done) => { (function look() { footfall.accountId ? done() : setTimeout(look) })() })";
	assert.deepEqual(await stage.visit(html, { path: "/#/tents", acts: [ready] }), [
		seen("/tents", "", { e: "early", m: 1, x: { step: 1 } }),
		seen("/tents", ""),
	]);
	assert.deepEqual(stage.errors, []);
}
