import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createSite, type Session, signIn } from "../../../../test/support/accounts.ts";
import { sendHits } from "../../../../test/support/hits.ts";
import { type TestApp, testApp } from "../../../../test/support/test-app.ts";

let app: TestApp;
let ann: Session;
let site: string;

const phone =
	"Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36";
const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0";

/** Six visitors, seven page views. */
before(async () => {
	app = await testApp();
	ann = await signIn(app);
	site = await createSite(app, ann);
	const from = (ip: string, url: string, more: object = {}) => ({
		site,
		ip,
		url: `https://shop.example${url}`,
		...more,
	});
	await sendHits(app, [
		from("203.0.113.1", "/?utm_source=Google&utm_medium=cpc&utm_campaign=autumn"),
		from("203.0.113.1", "/cart", { referrer: "https://shop.example/" }),
		from("203.0.113.2", "/blog/a?utm_source=google&utm_medium=organic"),
		from("203.0.113.3", "/blog/b?utm_source=bing&utm_medium=organic", { timezone: "Europe/Paris" }),
		from("203.0.113.4", "/offer?utm_source=newsletter&utm_medium=email&utm_campaign=autumn", { userAgent: firefox }),
		from("203.0.113.5", "/", { referrer: "https://partner.example/x" }),
		from("203.0.113.6", "/", { userAgent: phone }),
	]);
});
after(() => app.close());

async function get(path: string): Promise<{ status: number; body: ReturnType<typeof JSON.parse> }> {
	const response = await app.inject({ method: "GET", url: `/api/v1${path}`, headers: ann.headers });
	return { status: response.statusCode, body: response.json() };
}

let count = 0;
/** Entrances and page views of a segment with these filters. */
async function figures(filters: object, parameters = ""): Promise<[number, number]> {
	count += 1;
	const response = await app.inject({
		method: "POST",
		url: `/api/v1/segments?account_id=${site}`,
		headers: ann.headers,
		payload: { name: `s-${count}`, display_name: "Test", filters },
	});
	assert.equal(response.statusCode, 201, response.body);
	return figuresOf(response.json().data.id, parameters);
}
async function figuresOf(segment: string, parameters = ""): Promise<[number, number]> {
	const { status, body } = await get(`/stats/overview?site_id=${site}&period=today&segment=${segment}${parameters}`);
	assert.equal(status, 200, JSON.stringify(body));
	return [body.data.traffic.entrances, body.data.traffic.page_views];
}
const where = (field: string, operator: string, value: string | readonly string[], parameters = "") =>
	figures({ conditions: [{ field, operator, value }] }, parameters);
const condition = (field: string, value: string) => ({ field, operator: "eq", value });

test("each operator chooses what it says", async () => {
	assert.deepEqual(await where("utm_source", "eq", "GOOGLE"), [2, 3]);
	assert.deepEqual(await where("utm_source", "neq", "GOOGLE"), [4, 4]);
	assert.deepEqual(await where("utm_source", "contains", "oo"), [2, 3]);
	assert.deepEqual(await where("utm_source", "not_contains", "oo"), [4, 4]);
	assert.deepEqual(await where("utm_source", "starts_with", "goo"), [1, 1]);
	assert.deepEqual(await where("utm_source", "ends_with", "gle"), [2, 3]);
	assert.deepEqual(await where("utm_source", "in", ["bing", "newsletter", "none"]), [2, 2]);
	assert.deepEqual(await where("utm_source", "not_in", ["bing", "newsletter"]), [4, 5]);
	assert.deepEqual(await where("utm_source", "regex", "^(bing|google)$"), [2, 2]);
	assert.deepEqual(await where("utm_source", "not_regex", "(?i)^(bing|google)$"), [3, 3]);
	// One that takes engines without RE2 for ever.
	assert.deepEqual(await where("path", "regex", "(x+x+)+y"), [0, 0]);
});

test("each field is that of the session", async () => {
	assert.deepEqual(await where("utm_medium", "eq", "email"), [1, 1]);
	assert.deepEqual(await where("utm_campaign", "eq", "Autumn"), [2, 3]);
	assert.deepEqual(await where("country", "eq", "fr"), [1, 1]);
	assert.deepEqual(await where("device_type", "eq", "Mobile"), [1, 1]);
	assert.deepEqual(await where("browser", "eq", "firefox"), [1, 1]);
	assert.deepEqual(await where("os", "eq", "android"), [1, 1]);
	assert.deepEqual(await where("referrer", "eq", "partner.example"), [1, 1]);
	assert.deepEqual(await where("referrer_domain", "ends_with", ".example"), [1, 1]);
	assert.deepEqual(await where("channel", "eq", "paid search"), [1, 2]);
	assert.deepEqual(await where("content_grouping", "eq", "none"), [0, 0]);
});

test("path is the page on reports of pages, elsewhere the landing page", async () => {
	assert.deepEqual(await where("path", "eq", "/cart"), [0, 0]);
	assert.deepEqual(await where("path", "starts_with", "/blog/"), [2, 2]);
	const cart = await get(`/stats/pages?site_id=${site}&period=today&segment=s-${count - 1}`);
	assert.deepEqual(
		cart.body.data.map((row: { path: string; page_views: number }) => [row.path, row.page_views]),
		[["/cart", 1]],
	);
});

test("conditions hold together, one group must hold, and no not_group may", async () => {
	const google = condition("utm_source", "google");
	const organic = condition("utm_medium", "organic");
	const autumn = condition("utm_campaign", "autumn");
	assert.deepEqual(await figures({ conditions: [google, organic] }), [1, 1]);
	assert.deepEqual(await figures({ groups: [{ conditions: [google, organic] }, { conditions: [autumn] }] }), [3, 4]);
	assert.deepEqual(await figures({ not_groups: [{ conditions: [google, organic] }] }), [5, 6]);
	assert.deepEqual(await figures({ not_groups: [{ conditions: [google] }, { conditions: [autumn] }] }), [3, 3]);
	const all = {
		conditions: [{ field: "utm_medium", operator: "in", value: ["organic", "cpc"] }],
		groups: [{ conditions: [google] }, { conditions: [condition("country", "FR")] }],
		not_groups: [{ conditions: [autumn] }],
	};
	assert.deepEqual(await figures(all), [2, 2]);
	assert.deepEqual(await figures({ groups: [{ conditions: [] }], not_groups: [{ conditions: [] }] }), [6, 7]);
});

test("the system segments choose what they are called", async () => {
	for (const [name, entrances] of Object.entries({
		"all-traffic": 6,
		"organic-search": 2,
		"paid-search": 1,
		social: 0,
		direct: 1,
		referral: 1,
		mobile: 1,
		desktop: 5,
	})) {
		assert.equal((await figuresOf(name))[0], entrances, name);
	}
	assert.deepEqual(await figuresOf("seg_sys_mobile"), [1, 1]);
});

test("a parameter replaces the segment's own condition on its field and joins the others; groups always hold", async () => {
	const organic = condition("utm_medium", "organic");
	const google = condition("utm_source", "google");
	assert.deepEqual(await figures({ conditions: [organic] }, "&utm_medium=cpc"), [1, 2]);
	assert.deepEqual(await figures({ conditions: [organic] }, "&filters=utm_medium:eq:email&utm_medium=cpc"), [1, 1]);
	assert.deepEqual(await figures({ conditions: [google] }, "&utm_medium=cpc"), [1, 2]);
	assert.deepEqual(await figures({ conditions: [organic, google] }, "&utm_medium=cpc"), [1, 2]);
	assert.deepEqual(await figures({ groups: [{ conditions: [organic] }] }, "&utm_medium=cpc"), [0, 0]);
});
