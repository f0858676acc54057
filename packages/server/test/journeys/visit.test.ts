import assert from "node:assert/strict";
import { after, test } from "node:test";
import { createSite, signIn } from "../support/accounts.ts";
import { launchBrowser, newVisitor, type Page } from "../support/browser.ts";
import { openBrowserSite } from "../support/browser-site.ts";
import { dataOf } from "../support/request-of.ts";
import { testApp } from "../support/test-app.ts";
import { words } from "../support/words.ts";

/** One in the morning of the 22nd at the site, which is in Auckland. */
const NOW = "2026-11-21T12:00:00.000Z";
const iPhone =
	"Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1";

const [app, browser] = await Promise.all([testApp({ now: NOW }), launchBrowser()]);
const collector = `http://stats.test:${new URL(await app.address()).port}`;
const owner = await signIn(app, { role: "superadmin" });
const headers = { ...owner.headers, host: new URL(collector).host };
const data = (path: string) => dataOf(app, `GET ${path}`, { headers });
await createSite(app, owner, { timezone: "Pacific/Auckland", domains: ["shop.test"] });
const { script_tag: tag } = await data("/sites/shop/pixel");
const shop = await openBrowserSite("shop.test", {
	"/landing": `<title>Landing</title>${tag}<a href="/products">All products</a>`,
	"/products": `<title>Products</title>${tag}`,
});
after(async () => {
	await browser.close();
	await shop.close();
	await app.close();
});

/** Every row, once all that was acknowledged is stored. */
async function storedRows() {
	await app.collector?.flush();
	const sql = `SELECT *, count() OVER (PARTITION BY session) AS rows_of_session
		FROM events ORDER BY rows_of_session, ts, toString(kind), properties['sku']`;
	return app.eventStore.query<Record<string, unknown>>({ sql });
}

/** Does something on the page and waits until the hit that it causes is acknowledged; then ten seconds pass. */
async function hit(page: Page, act: () => Promise<unknown>) {
	const acknowledged = page.waitForResponse((response) => response.url() === `${collector}/event`);
	await act();
	assert.equal((await acknowledged).status(), 204);
	app.clock.advance(10_000);
}

/** Comes from a search engine, looks around, buys two things and subscribes. */
async function buyer(errors: string[]) {
	const page = await (await newVisitor(browser)).newPage();
	page.on("pageerror", (error) => errors.push(String(error)));
	const items = [
		{ sku: "x", quantity: 2 },
		{ sku: "y", quantity: 1, gift: true },
	];
	await hit(page, () => page.goto(`${shop.origin}/landing?ref=7#top`, { referer: "https://www.google.com/" }));
	await hit(page, () => page.click("a"));
	await hit(page, () => page.evaluate("history.pushState({}, '', '/products/7?size=m')"));
	await hit(page, () => page.evaluate(`footfall.conv("purchase", 59.9, ${JSON.stringify({ order: "A-1", items })})`));
	await hit(page, () => page.evaluate('footfall.micro("newsletter", { plan: "free" })'));
	await page.context().close();
}

/** Comes from a newsletter, on a telephone, and leaves after one page. */
async function reader(errors: string[]) {
	const page = await (await newVisitor(browser, { userAgent: iPhone })).newPage();
	page.on("pageerror", (error) => errors.push(String(error)));
	const campaign = "utm_source=autumn-letter&utm_medium=email&utm_campaign=autumn";
	await hit(page, () => page.goto(`${shop.origin}/landing?${campaign}`));
	await page.context().close();
}

const at = (seconds: number) => new Date(Date.parse(NOW) + seconds * 1000).toISOString().replace(/[TZ]/g, " ").trim();
const plain = { site: "shop", date: "2026-11-22", hour: 1, landing_path: "/landing", country: "ES", bot_score: 0 };
const search = { referrer: "google.com", utm_source: "google", utm_medium: "organic", utm_campaign: "" };
const desktop = { device: "desktop", browser: "Chrome", os: "Linux" };
const bought = { ...plain, ...search, channel: "Organic Search", ...desktop };
const letter = { referrer: "", utm_source: "autumn-letter", utm_medium: "email", utm_campaign: "autumn" };
const phone = { device: "mobile", browser: "Safari", os: "iOS" };
const read = { ...plain, ...letter, channel: "Email", ...phone };
/** Measures of a row, in the order in which the test below tells them. */
const measures = words("entrance engaged page_view conversion microconversion revenue visit_seconds");

test("a visit in a real browser is in the store and in the reports, number by number", async () => {
	const errors: string[] = [];
	const ownLines = app.logLines.length;
	await buyer(errors);
	await reader(errors);
	assert.deepEqual(errors, []);

	const rows = await storedRows();
	for (const [index, row] of rows.entries()) {
		const visit = index === 0 ? read : bought;
		assert.deepEqual(Object.fromEntries(Object.keys(visit).map((name) => [name, row[name]])), visit);
	}
	const told = rows.map(({ ts, kind, path, event_type, properties, ...row }) => [
		ts,
		`${kind} ${path} ${event_type}`.trim(),
		properties,
		measures.map((name) => row[name]).join(" "),
	]);
	const buys = "/products/7 purchase";
	assert.deepEqual(told, [
		[at(50), "pageview /landing", {}, "1 0 1 0 0 0 0"],
		[at(0), "engaged /landing", {}, "0 1 0 0 0 0 0"],
		[at(0), "pageview /landing", {}, "1 0 1 0 0 0 0"],
		[at(10), "pageview /products", {}, "0 0 1 0 0 0 10"],
		[at(20), "pageview /products/7", {}, "0 0 1 0 0 0 10"],
		[at(30), `conversion ${buys}`, { order: "A-1" }, "0 0 0 1 0 59.9 10"],
		[at(30), `item ${buys}`, { sku: "x", quantity: "2" }, "0 0 0 0 0 0 0"],
		[at(30), `item ${buys}`, { sku: "y", quantity: "1", gift: "true" }, "0 0 0 0 0 0 0"],
		[at(40), "microconversion /products/7 newsletter", { plan: "free" }, "0 0 0 0 1 0 10"],
	]);

	const overview = await data("/stats/overview?site_id=shop&period=today");
	assert.deepEqual(overview.date_range, { start_date: "2026-11-22", end_date: "2026-11-22", days: 1 });
	const { entrances, page_views, conversions, revenue, bounce_rate, visitors, visit_duration } = overview.traffic;
	assert.deepEqual([entrances, page_views, conversions, revenue], [2, 4, 1, 59.9]);
	assert.deepEqual([bounce_rate, visitors, visit_duration], [50, 2, 20]);
	const sources = await data("/stats/sources?site_id=shop&period=today");
	assert.deepEqual(
		sources.map((row: Record<string, unknown>) => [row.utm_source, row.entrances, row.page_views, row.revenue]),
		[
			["autumn-letter", 1, 1, 0],
			["google", 1, 3, 59.9],
		],
	);
	assert.equal((await data("/sites/shop/pixel/status")).installed, true);
	assert.doesNotMatch(app.logLines.slice(ownLines).join(""), /127\.0\.0\.1|Mozilla|shop\.test|google\.com/);
});
