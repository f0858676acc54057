import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createUser } from "../../src/features/people/users/index.ts";
import { type Browser, launchBrowser, newVisitor, type Page } from "../support/browser.ts";
import { type BrowserSite, openBrowserSite } from "../support/browser-site.ts";
import { type TestApp, testApp } from "../support/test-app.ts";

/** One in the morning of the 22nd at the site, which is in Auckland. */
const NOW = "2026-11-21T12:00:00.000Z";
const iPhone =
	"Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1";
const login = { email: "owner@example.com", password: "correct-horse-7-battery" };

let app: TestApp;
let browser: Browser;
let shop: BrowserSite;
let headers: Record<string, string>;
let collector: string;

before(async () => {
	[app, browser] = await Promise.all([testApp({ now: NOW }), launchBrowser()]);
	collector = `http://stats.test:${new URL(await app.address()).port}`;
	await createUser(app, { ...login, name: "Owner", role: "superadmin" });
	const signedIn = await app.inject({ method: "POST", url: "/api/v1/auth/token", payload: login });
	headers = { authorization: `Bearer ${signedIn.json().data.access_token}`, host: new URL(collector).host };
	const payload = { name: "Shop", timezone: "Pacific/Auckland", domains: ["shop.test"] };
	const created = await app.inject({ method: "POST", url: "/api/v1/sites", headers, payload });
	assert.equal(created.statusCode, 201, created.body);
	const { script_tag: tag } = await data("/sites/shop/pixel");
	shop = await openBrowserSite("shop.test", {
		"/landing": `<title>Landing</title>${tag}<a href="/products">All products</a>`,
		"/products": `<title>Products</title>${tag}`,
		"/thanks": `<title>Thanks</title>${tag}<script>footfall.conv("purchase", "40.10", { order: "A-2" })</script>`,
	});
});

after(async () => {
	await browser?.close();
	await shop?.close();
	await app?.close();
});

async function answer(path: string) {
	const response = await app.inject({ url: `/api/v1${path}`, headers });
	assert.equal(response.statusCode, 200, response.body);
	return response.json();
}

const data = async (path: string) => (await answer(path)).data;

/** Every row, once all that was acknowledged is stored. */
async function storedRows() {
	await app.collector?.flush();
	const sql = `SELECT * EXCEPT (session, rejoined), count() OVER (PARTITION BY session) AS rows_of_session
		FROM events ORDER BY rows_of_session, ts, kind, properties['sku']`;
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
const none = {
	entrance: 0,
	engaged: 0,
	page_view: 0,
	conversion: 0,
	microconversion: 0,
	revenue: 0,
	amount: 0,
	visit_seconds: 0,
	visitor: 0,
};
const plain = {
	...none,
	site: "shop",
	date: "2026-11-22",
	hour: 1,
	landing_path: "/landing",
	landing_group: "",
	content_group: "",
	utm_term: "",
	utm_content: "",
	country: "ES",
	clid: "",
	event_type: "",
	properties: {},
	bot_score: 0,
	bot_flags: 0,
	import_id: "",
};
const bought = {
	...plain,
	rows_of_session: 8,
	referrer: "google.com",
	utm_source: "google",
	utm_medium: "organic",
	utm_campaign: "",
	channel: "Organic Search",
	device: "desktop",
	browser: "Chrome",
	os: "Linux",
};
const read = {
	...plain,
	rows_of_session: 1,
	referrer: "",
	utm_source: "autumn-letter",
	utm_medium: "email",
	utm_campaign: "autumn",
	channel: "Email",
	device: "mobile",
	browser: "Safari",
	os: "iOS",
};

test("a visit in a real browser is in the store and in the reports, number by number", async () => {
	const errors: string[] = [];
	const ownLines = app.logLines.length;
	await buyer(errors);
	await reader(errors);
	assert.deepEqual(errors, []);

	const item = { ...bought, ts: at(30), kind: "item", path: "/products/7", event_type: "purchase" };
	assert.deepEqual(await storedRows(), [
		{ ...read, ts: at(50), kind: "pageview", path: "/landing", entrance: 1, page_view: 1 },
		{ ...bought, ts: at(0), kind: "pageview", path: "/landing", entrance: 1, page_view: 1 },
		{ ...bought, ts: at(0), kind: "engaged", path: "/landing", engaged: 1 },
		{ ...bought, ts: at(10), kind: "pageview", path: "/products", page_view: 1, visit_seconds: 10 },
		{ ...bought, ts: at(20), kind: "pageview", path: "/products/7", page_view: 1, visit_seconds: 10 },
		{
			...item,
			kind: "conversion",
			properties: { order: "A-1" },
			conversion: 1,
			amount: 59.9,
			revenue: 59.9,
			visit_seconds: 10,
		},
		{ ...item, properties: { sku: "x", quantity: "2" } },
		{ ...item, properties: { sku: "y", quantity: "1", gift: "true" } },
		{
			...bought,
			ts: at(40),
			kind: "microconversion",
			path: "/products/7",
			event_type: "newsletter",
			properties: { plan: "free" },
			microconversion: 1,
			visit_seconds: 10,
		},
	]);

	const overview = await data("/stats/overview?site_id=shop&period=today");
	assert.deepEqual(overview.date_range, { start_date: "2026-11-22", end_date: "2026-11-22", days: 1 });
	assert.deepEqual(overview.traffic, {
		entrances: 2,
		engaged_entrances: 1,
		page_views: 4,
		microconversions: 1,
		conversions: 1,
		revenue: 59.9,
		bounce_rate: 50,
		pages_per_session: 2,
		visitors: 2,
		visit_duration: 20,
	});
	assert.deepEqual(await data("/stats/pages?site_id=shop&period=today"), [
		{ path: "/landing", content_grouping: "", page_views: 2, entrances: 2 },
		{ path: "/products", content_grouping: "", page_views: 1, entrances: 0 },
		{ path: "/products/7", content_grouping: "", page_views: 1, entrances: 0 },
	]);
	const converted = { bounce_rate: 0, conversions: 1, revenue: 59.9 };
	const bounced = { bounce_rate: 100, conversions: 0, revenue: 0 };
	assert.deepEqual(await data("/stats/sources?site_id=shop&period=today"), [
		{ utm_source: "autumn-letter", entrances: 1, page_views: 1, engaged_entrances: 0, ...bounced },
		{ utm_source: "google", entrances: 1, page_views: 3, engaged_entrances: 1, ...converted },
	]);
	assert.equal((await data("/sites/shop/pixel/status")).installed, true);
	assert.doesNotMatch(app.logLines.slice(ownLines).join(""), /127\.0\.0\.1|Mozilla|shop\.test|google\.com/);
});

test("the same tag on a foreign domain costs the page nothing, counts nowhere and shows up among the rejections", async () => {
	const { script_tag: tag } = await data("/sites/shop/pixel");
	const copy = await openBrowserSite("copy.test", { "/": `<title>Copy</title>${tag}` });
	const page = await (await newVisitor(browser)).newPage();
	await hit(page, () => page.goto(copy.origin));
	await page.context().close();
	await copy.close();
	const rejections = await data("/sites/shop/pixel/rejections");
	assert.equal(rejections.accepted, 6);
	assert.deepEqual(rejections.reasons, [
		{ reason: "invalid_domain", count: 1, origins: [{ origin: copy.origin, count: 1 }] },
	]);
	assert.equal((await storedRows()).length, 9);
});

test("a conversion ahead of the script, with the text of its amount, is in the reports with its revenue", async () => {
	const page = await (await newVisitor(browser)).newPage();
	let acknowledged = 0;
	const both = new Promise<void>((resolve) => {
		page.on("response", (response) => {
			if (response.url() === `${collector}/event`) acknowledged += 1;
			if (acknowledged === 2) resolve();
		});
	});
	await page.goto(`${shop.origin}/thanks`);
	await both;
	await page.context().close();
	assert.equal((await storedRows()).length, 11);
	// The result cache has no answer for these dates.
	const { traffic } = await data("/stats/overview?site_id=shop&start_date=2026-11-22&end_date=2026-11-22");
	assert.deepEqual([traffic.conversions, traffic.revenue, traffic.page_views], [2, 100, 5]);
});
