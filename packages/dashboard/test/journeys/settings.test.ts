import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "../../../server/test/support/browser.ts";
import { finishDeletions, removeFilesAtOnce } from "../../../server/test/support/deletions.ts";
import { pageviewRow } from "../../../server/test/support/event-rows.ts";
import { exportedFile } from "../../../server/test/support/import-files.ts";
import { insertRows } from "../../../server/test/support/oracle-app.ts";
import { fill, savedBy, undo, whole } from "../support/acts.ts";
import { openDashboard, sharedDashboard } from "../support/open-dashboard.ts";

/** Rows of the large export. */
const rows = 60_000;
/** The event store stops in the middle of the large export until it is let go. */
const gate = Promise.withResolvers<void>();
const service = sharedDashboard(
	() =>
		openDashboard(
			{},
			{
				wrapEventStore: (store) => ({
					...store,
					async *streamBytes(query) {
						let bytes = 0;
						for await (const piece of store.streamBytes(query)) {
							yield piece;
							bytes += piece.length;
							if (bytes > 1_000_000) await gate.promise;
						}
					},
				}),
			},
		),
	({ app }) => removeFilesAtOnce(app),
);

/** A row of a list by its words. */
const row = (page: Page, words: string) => page.getByRole("listitem").filter({ hasText: words });
const save = (page: Page) => page.getByRole("button", { name: "Save" }).click();
const settings = "/sites/shop/settings";

test("settings lead to the general ones; a change is kept, and taken back", async (t) => {
	const { page, api } = await service.open(t, "/sites/shop", { meetsErrors: true });
	await page.getByRole("link", { name: "Settings" }).click();
	await page.getByRole("heading", { name: "General" }).waitFor();
	await fill(page, { Name: "Corner shop", "Time zone": "Europe/Nowhere" });
	await save(page);
	await page.getByText("Choose a time zone from the list").waitFor();
	await page.getByLabel("Time zone").fill("Europe/Lisbon");
	await save(page);
	await page.getByText("Saved.").waitFor();
	await page.getByRole("button", { name: "Undo" }).click();
	await page.getByText("Undone.").waitFor();
	const { name, timezone } = await api("GET /sites/{id}", "/sites/shop");
	assert.deepEqual([name, timezone], ["Shop", "Europe/Madrid"]);
});

test("the reader's own address is excluded by a click", async (t) => {
	const { page } = await service.open(t, `${settings}/blocklist`);
	await page.getByRole("button", { name: "Exclude me" }).click();
	await page.getByText("Excluded: your visits are not counted.").waitFor();
	await row(page, "Me (Ann)").getByText("127.0.0.1").first().waitFor();
});

const channels = "/channel-groups?account_id=shop";

test("a rule is tried on the sources of 30 days, kept as a draft, and activated", async (t) => {
	const { page, api } = await service.open(t, `${settings}/channels`, { meetsErrors: true });
	await page.getByRole("button", { name: "New rule" }).click();
	await page.getByText("Enter a channel and a condition").waitFor();
	await page.getByLabel("Channel", { exact: true }).fill("Deals");
	const how = page.getByRole("group", { name: "Conditions" }).getByLabel("Source", { exact: true });
	await how.selectOption("matches");
	await page.getByLabel("Source: text").fill("(");
	await page.getByText("Not a valid RE2 expression, or too large a one").waitFor();
	await how.selectOption("starts with");
	await page.getByLabel("Source: text").fill("Outdoor-deals.");
	await page.getByText(/^Would move [\d,]+ visits from Affiliates to Deals/).waitFor();
	await save(page);
	await page.getByText("“Deals” saved as a draft.").waitFor();
	await page.getByRole("button", { name: "Activate: Deals" }).click();
	await page.getByText("“Deals” activated.").waitFor();
	const { rules } = await api("GET /channel-groups", "?account_id=shop&include_defaults=false");
	assert.deepEqual([rules[0]?.source_pattern, rules[0]?.is_active], ["^Outdoor-deals\\.", true]);
	await page.getByRole("button", { name: "Delete: Deals" }).click();
	await page.getByText("No custom rules. The built-in rules apply.").waitFor();
});

test("rules are put in order by keys and by dragging, and imported after a look at what would happen", async (t) => {
	const { page, goto, api } = await service.read(t);
	for (const [name, priority] of [
		["First", 50],
		["Second", 50],
		["Third", 20],
	] as const) {
		await service.send(`POST ${channels}`, { channel_name: name, source_pattern: name, priority });
	}
	const order = async () => {
		const { rules } = await api("GET /channel-groups", "?account_id=shop&include_defaults=false");
		return rules.map(({ channel_name: name }) => name);
	};
	await goto(`${settings}/channels`);
	const focused = (name: string) => page.getByRole("button", { name }).and(page.locator(":focus"));
	await page.getByRole("button", { name: "Move Third up" }).focus();
	await page.keyboard.press("Enter");
	await page.getByText("“Third” moved to position 2 of 3.").waitFor();
	await focused("Move Third up").waitFor();
	await page.keyboard.press("Enter");
	await focused("Move Third down").waitFor();
	await undo(page, "“Third” moved to position 1 of 3.", "/channel-groups");
	assert.deepEqual(await order(), ["First", "Third", "Second"]);
	const item = (name: string) => row(page, `Source contains ${name}`);
	await item("Second").getByTitle("Drag to reorder").dragTo(item("First"));
	await page.getByText("“Second” moved to position 1 of 3.").waitFor();
	const good = { channel_name: "Good", source_pattern: "good" };
	await page.getByRole("button", { name: "Import" }).click();
	const buffer = Buffer.from(JSON.stringify({ version: 1, rules: [good] }));
	await page.getByLabel("File").setInputFiles({ name: "rules.json", mimeType: "application/json", buffer });
	await page.getByText("1 rule added, 3 removed.").waitFor();
	await page.getByRole("dialog").getByRole("button", { name: "Import" }).click();
	await undo(page, "1 rule imported.", "/channel-groups");
	assert.deepEqual(await order(), ["Second", "First", "Third"]);
});

const filters = {
	conditions: [{ field: "utm_source", operator: "eq", value: "google" }],
	groups: [{ conditions: [{ field: "utm_medium", operator: "eq", value: "organic" }] }],
	not_groups: [{ conditions: [{ field: "utm_campaign", operator: "contains", value: "sale" }] }],
};

test("a segment of nested groups is made by keys alone; its count is that of the report, which leads to it", async (t) => {
	const { page, goto, api } = await service.read(t);
	const press = async (name: string) => {
		await page.getByRole("button", { name, exact: true }).focus();
		await page.keyboard.press("Enter");
	};
	/** Chooses by the arrows: so many below what is chosen. */
	const down = async (label: string, steps: number) => {
		await page.getByLabel(label, { exact: true }).focus();
		for (let step = 0; step < steps; step += 1) await page.keyboard.press("ArrowDown");
	};
	const addTo = async (where: string, value: string, { field = 0, how = 0 } = {}) => {
		await press(`Condition: add to “${where}”`);
		await down("Property", field);
		await down("Condition", how);
		await page.getByLabel("Value").focus();
		await page.keyboard.type(value);
		await page.keyboard.press("Enter");
		await page.getByRole("list", { name: where }).getByText(value).waitFor();
	};
	await goto("/sites/shop");
	await page.getByRole("button", { name: "Segment", exact: true }).click();
	await page.getByRole("link", { name: "Manage segments" }).click();
	await page.waitForURL(`**${settings}/segments`);
	await press("New segment");
	await addTo("Match all", "google");
	await press("Add group");
	await addTo("And any of, Group 1", "organic", { field: 1 });
	await press("Add exclusion");
	await addTo("Exclude, Group 1", "sale", { field: 2, how: 4 });
	const { traffic } = await api(
		"GET /stats/overview",
		`?site_id=shop&period=30d&segment_filters=${encodeURIComponent(JSON.stringify(filters))}`,
	);
	await page.getByText(`${whole.format(traffic.entrances)} visits in the last 30 days`).waitFor();
	// The form closes and opens again: nothing is lost.
	await page.getByLabel("Name").focus();
	await page.keyboard.type("Google without sales");
	await page.keyboard.press("Escape");
	// One that has closed goes with the next rendering; until then the button of before opens nothing.
	await page.locator("dialog").waitFor({ state: "detached" });
	await press("New segment");
	await page.getByRole("list", { name: "Exclude, Group 1" }).getByText("sale").waitFor();
	await page.getByLabel("Name").focus();
	await page.keyboard.press("Enter");
	await page.getByText("“Google without sales” saved.").waitFor();
	await page.getByRole("button", { name: "New segment" }).and(page.locator(":focus")).waitFor();
	await press("Delete: Google without sales");
	await page.getByText("No custom segments.").waitFor();
	await undo(page, "“Google without sales” deleted.", "/segments");
	const back = await api("GET /segments/{id}", "/segments/google-without-sales?account_id=shop");
	assert.deepEqual(back.filters, filters);
	await page.getByRole("link", { name: "Report: Google without sales" }).click();
	await page.waitForURL("**/sites/shop?segment=google-without-sales");
});

test("a shorter retention is confirmed and withdrawn; days are deleted by the site's name", async (t) => {
	const { page } = await service.open(t, `${settings}/data`);
	await page.getByLabel("Keep", { exact: true }).selectOption({ label: "2 years" });
	await save(page);
	const shorten = page.getByRole("dialog", { name: "Shorten the retention period" });
	await shorten.getByText("28 Nov 2024").waitFor();
	await shorten.getByLabel("Type “Shop” to confirm").fill("Shop");
	await shorten.getByRole("button", { name: "Shorten" }).click();
	await page.locator("main").getByText("Kept: Forever. From Sat, 28 Nov 2026: 2 years.").waitFor();
	await page.getByRole("button", { name: "Keep the current period" }).click();
	await page.getByText("Kept: Forever.", { exact: true }).waitFor();
	await fill(page, { From: "2026-11-01", "To (inclusive)": "2026-11-10" });
	await page.getByRole("button", { name: "Delete…" }).click();
	const dialog = page.getByRole("dialog", { name: "Delete data" });
	await dialog.getByLabel("Type “Shop” to confirm").fill("Shop");
	await dialog.getByRole("button", { name: "Delete data" }).click();
	await page.getByRole("progressbar", { name: "Progress" }).waitFor();
	await finishDeletions(service.app);
	await page.getByText("Deleted", { exact: true }).waitFor();
});

const imports = "/sites/empty/settings/imports";
const work = () => service.app.jobs.runDue();

test("a file is read, looked at, imported, found on the report, and taken back", async (t) => {
	const { page, goto, api } = await service.read(t);
	const days = "start_date=2026-10-01&end_date=2026-10-03";
	const entrances = async () => (await api("GET /stats/overview", `?site_id=empty&${days}`)).traffic.entrances;
	await goto(imports);
	const buffer = exportedFile("ga4-traffic-acquisition.csv");
	await page
		.getByLabel("File", { exact: true })
		.setInputFiles({ name: "acquisition.csv", mimeType: "text/csv", buffer });
	await page.getByText("Detected from the file.").waitFor();
	assert.equal(await page.getByLabel("Source", { exact: true }).inputValue(), "ga4_csv");
	await page.getByText("Columns", { exact: true }).click();
	await page.getByLabel("Session default channel group").selectOption("ignore");
	await page.getByRole("button", { name: "Upload" }).press("Enter");
	await page.getByText("Reading the file…").waitFor();
	await work();
	const file = row(page, "acquisition.csv");
	await file.getByText("9 rows read: 6 accepted, 3 skipped.").waitFor();
	await file.getByRole("row", { name: /Unreadable 1 15; line 15: column “Date” has “2026-13-45”/ }).waitFor();
	await file.getByRole("row", { name: /1,144 2,710 0/ }).waitFor();
	assert.equal(await entrances(), 0);
	await file.getByRole("button", { name: "Import" }).press("Enter");
	await file.getByText("pending").or(file.getByText("importing")).first().waitFor();
	await work();
	await file.getByText("imported", { exact: true }).waitFor();
	await file.getByRole("link", { name: "View in report" }).click();
	await page.getByText("1,385").first().waitFor();
	assert.match(page.url(), /from=2026-10-01&to=2026-10-03/);
	// All time begins with what was imported.
	await page.getByRole("button", { name: /^Period: / }).click();
	await page.getByRole("button", { name: "All time data since 1 Oct", exact: true }).click();
	await page.waitForURL((url) => url.search === "?period=all&from=2026-10-01&compare=none");
	await goto(imports);
	await file.getByRole("button", { name: "Undo" }).click();
	const dialog = page.getByRole("dialog");
	await dialog.getByText("1,385 visits and 3,485 page views.").waitFor();
	await dialog.getByRole("button", { name: "Undo" }).click();
	await file.getByText("undone", { exact: true }).waitFor();
	assert.equal(await entrances(), 0);
});

const lines = (text: string): readonly string[] => text.trimEnd().split(/\r?\n/);
const estimate = (page: Page) => page.getByText(/^About [\d,]+ rows/);

test("a small export is saved at once, of the days and filters that one looked at", async (t) => {
	const { page, api } = await service.open(t, "/sites/shop/exports?period=7d&f=device_type:eq:mobile");
	await estimate(page).getByText("Can be downloaded now.").waitFor();
	const text = await savedBy(page, () => page.getByRole("button", { name: "Download now" }).click());
	const { total } = await api("GET /stats/pages", "?site_id=shop&period=7d&filters=device_type:eq:mobile&page_size=1");
	assert.equal(lines(text)[0], "path,content_grouping,page_views,entrances,engaged_entrances");
	assert.equal(lines(text).length - 1, total);
});

test("a large export shows its progress, has a link, and says when that has ended", async (t) => {
	// The tests before have moved the clock by seconds.
	service.app.clock.set("2026-11-21T12:30:00.000Z");
	await service.app.eventStore.command(
		`INSERT INTO events (site, date, hour, ts, session, kind, event_type, conversion, amount, revenue, properties)
		SELECT 'shop', '2026-11-20', 12, toDateTime64('2026-11-20 12:00:00', 3, 'UTC') + number / 1000, number, 'conversion',
			'order', 1, number, number, map('number', toString(number)) FROM numbers(${rows})`,
	);
	const { page, context, goto } = await service.open(t, "/sites/shop/settings/exports", { meetsErrors: true });
	await page.getByLabel("Data").selectOption("conversions");
	await page.getByText("Will be created in the background").waitFor();
	const said = Number(/[\d,]+/.exec((await estimate(page).textContent()) ?? "")?.[0].replaceAll(",", ""));
	assert.ok(said >= rows, String(said));
	assert.equal(await page.getByRole("button", { name: "Download now" }).count(), 0);
	await page.getByRole("button", { name: "Create download link" }).click();
	const job = page.getByRole("list", { name: "Files" }).getByRole("listitem").first();
	await job.getByText("pending").waitFor();
	const working = work();
	await job.getByText(/^[1-9]\d* % done$/).waitFor();
	assert.ok(Number(await job.getByRole("progressbar").getAttribute("value")) >= 5);
	gate.resolve();
	await working;
	await job.getByText("expires tomorrow (22 Nov 2026, 13:30)").waitFor();
	const text = await savedBy(page, () => job.getByRole("link", { name: "Download" }).click());
	assert.equal(lines(text).length - 1, said);
	const link = await job.getByRole("link", { name: "Download" }).getAttribute("href");
	service.app.clock.set("2026-11-22T12:30:01.000Z");
	await goto("/sites/shop/exports");
	await page.getByText("No exports yet.").waitFor();
	await page.getByLabel("Show expired exports").check();
	await job.getByText("expired").waitFor();
	assert.equal((await context.request.get(service.root + link)).status(), 404);
});

test("a page counts as a conversion after three clicks at the goals, also in earlier visits, is edited, and counts no more", async (t) => {
	service.app.clock.set("2026-11-22T12:30:01.000Z");
	// The browser logs the refusal as an error.
	const { page, goto, api } = await service.read(t, { meetsErrors: true });
	const kept = async () => {
		const { goals } = await api("GET /sites/{id}", "/sites/empty");
		return goals.map(({ pattern, conversion_type, amount }) => [pattern, conversion_type, amount]);
	};
	const seen = (day: string, session: string) =>
		pageviewRow({ site: "empty", ts: Date.parse(`2026-11-${day}T12:00:00Z`), path: "/contact", session });
	await insertRows(service.app.eventStore, [seen("12", "1"), seen("12", "1"), seen("14", "2")]);
	await goto("/sites/empty/goals");
	await page.getByRole("button", { name: "Track a page" }).click();
	await page.getByLabel("Page path").fill("contact");
	await page.getByLabel("Conversion type").fill("lead");
	await page.getByRole("button", { name: "Add", exact: true }).click();
	await page.getByText("that of a page begins with / or *").waitFor();
	await page.getByLabel("Page path").fill("/contact");
	await page.getByLabel("Value in EUR").fill("12.5");
	await page.getByRole("button", { name: "Add", exact: true }).click();
	await page.getByText("2 visits reached “/contact” before it was tracked (12 – 21 Nov).").waitFor();
	await page.getByRole("button", { name: "Count 2 visits" }).click();
	await page.getByText("2 visits counted.").waitFor();
	await page.getByRole("row", { name: "lead 2" }).waitFor();
	await page.getByRole("button", { name: "Count earlier visits of “/contact”" }).click();
	await page.getByText("No earlier visits of “/contact” are left to count.").waitFor();
	await page.getByRole("button", { name: "Close" }).click();
	await page.getByText("/contact → lead, €12.50").waitFor();
	assert.deepEqual(await kept(), [["/contact", "lead", 12.5]]);
	await page.getByRole("button", { name: "Edit “/contact”" }).click();
	await page.getByLabel("Page path").fill("/done/**");
	await page.getByRole("button", { name: "Save" }).click();
	await page.getByRole("button", { name: "Stop counting “/done/**”" }).click();
	await page.getByText("Counted without code").waitFor({ state: "detached" });
	assert.deepEqual(await kept(), []);
	await undo(page, "No longer counted.", "/sites");
	await page.getByText("/done/** → lead, €12.50").waitFor();
});
