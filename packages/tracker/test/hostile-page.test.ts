import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openStage, type Stage } from "./stage.ts";

let stage: Stage;
before(async () => {
	stage = await openStage();
});
after(() => stage.close());

const use = "footfall(); footfall.conv('buy', 1, { n: 1 }); footfall.micro('m'); history.pushState({}, '', '/next')";

interface HostilePage {
	readonly head?: string;
	readonly headers?: Record<string, string>;
	readonly acts?: string;
	/** Further parameters of the script. */
	readonly query?: string;
}

const everyEvent = "&events=404,download,outbound,scroll";

const pages: Record<string, HostilePage> = {
	"a circular property": { acts: "const o = {}; o.o = o; footfall.conv('buy', 1, o); footfall.micro('m', { n: 1n })" },
	"arguments of every wrong kind": {
		acts: "footfall(null); footfall(5); footfall.conv(); footfall.conv(Symbol.iterator); footfall.micro({}, 5); footfall.conv(null, {}, null)",
	},
	"a content policy that forbids the collector": { headers: { "content-security-policy": "connect-src 'none'" } },
	"trusted types": { headers: { "content-security-policy": "require-trusted-types-for 'script'" } },
	"an opaque sandbox": { headers: { "content-security-policy": "sandbox allow-scripts" } },
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
};

for (const [name, { head = "", headers, acts = use, query }] of Object.entries(pages)) {
	test(`the page sees no error with ${name}`, async () => {
		stage.errors.length = 0;
		const html = `<!doctype html><script>${head}</script>${stage.script(query)}<p id="loaded">`;
		stage.pages.set("/", { html, ...(headers ? { headers } : {}) });
		const page = await stage.newPage();
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

test("a collector that does not answer leaves the page alone", async () => {
	stage.errors.length = 0;
	stage.pages.set("/", { html: stage.script() });
	const page = await stage.newPage();
	await page.route("**/event", (route) => route.abort());
	await page.goto(`${stage.site}/`);
	await page.evaluate(`(() => { ${use} })()`);
	await page.context().close();
	assert.deepEqual(stage.errors, []);
});
