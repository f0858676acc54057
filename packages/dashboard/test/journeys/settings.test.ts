import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page } from "../../../server/test/support/browser.ts";
import { finishDeletions, removeFilesAtOnce } from "../../../server/test/support/deletions.ts";
import { undo, whole } from "../support/acts.ts";
import { type DashboardService, openDashboard } from "../support/open-dashboard.ts";

type Row = Readonly<Record<string, unknown>>;
interface Site {
	readonly name: string;
	readonly timezone: string;
}
interface Rule {
	readonly channel_name: string;
	readonly source_pattern: string | null;
	readonly is_active: boolean;
}
interface Overview {
	readonly traffic: { readonly entrances: number };
}

let service: DashboardService;
before(async () => {
	service = await openDashboard();
	await removeFilesAtOnce(service.app);
});
after(() => service?.close());

/** A row of a list by its words. */
const row = (page: Page, words: string) => page.getByRole("listitem").filter({ hasText: words });
const save = (page: Page) => page.getByRole("button", { name: "Save" }).click();
const settings = "/sites/shop/settings";

test("settings lead to the general ones; a change is kept, and taken back", async () => {
	const { page, context, goto, api } = await service.read();
	const kept = async () => {
		const { name, timezone } = await api<Site>("/sites/shop");
		return [name, timezone];
	};
	await goto("/sites/shop");
	await page.getByRole("link", { name: "Settings" }).click();
	await page.getByRole("heading", { name: "General" }).waitFor();
	await page.getByLabel("Name").fill("Corner shop");
	await page.getByLabel("Time zone").fill("Europe/Nowhere");
	await save(page);
	await page.getByText("Choose a time zone from the list").waitFor();
	await page.getByLabel("Time zone").fill("Europe/Lisbon");
	await save(page);
	await page.getByText("Saved.").waitFor();
	assert.deepEqual(await kept(), ["Corner shop", "Europe/Lisbon"]);
	await page.getByRole("button", { name: "Undo" }).click();
	await page.getByText("Undone.").waitFor();
	assert.deepEqual(await kept(), ["Shop", "Europe/Madrid"]);
	// The browser logs the refusal as an error.
	await context.close();
});

test("the reader's own address is excluded by a click", async () => {
	const { page, goto, api, leave } = await service.read();
	await goto(`${settings}/blocklist`);
	await page.getByRole("button", { name: "Exclude me" }).click();
	await page.getByText("Excluded: your visits are not counted.").waitFor();
	const { entries } = await api<{ entries: readonly Row[] }>("/blocklist-ips?account_id=shop");
	assert.equal(entries.map((entry) => `${entry["ip_or_cidr"]} ${entry["reason"]}`).join(), "127.0.0.1 Me (Ann)");
	await leave();
});

test("a payment page that is there already is told at its field; a rule keeps what was typed when its form closes", async () => {
	const { page, goto, api, context } = await service.read();
	await goto(`${settings}/sources?view=payments`);
	for (const isSecond of [false, true]) {
		await page.getByRole("button", { name: "Add payment page" }).click();
		await page.getByLabel("Domain").fill("https://pay.example/checkout");
		await page.getByLabel("Source").fill("pay");
		await save(page);
		if (!isSecond) await page.getByText("pay.example added.").waitFor();
	}
	const field = page.getByLabel("Domain").and(page.locator(":focus"));
	await field.waitFor();
	assert.match((await field.getAttribute("aria-describedby")) ?? "", /error/);
	await page.getByText("This domain is already listed.").waitFor();
	await page.getByRole("button", { name: "Cancel" }).click();
	await page.getByRole("tab", { name: "3. Referrers" }).click();
	await page.getByRole("button", { name: "Add rule" }).click();
	await page.getByLabel("Condition").selectOption("contains");
	await page.getByLabel("Referrer domain").fill("forum");
	await page.getByLabel("Source").fill("Forum");
	await page.getByRole("button", { name: "Close" }).click();
	await page.getByRole("button", { name: "Add rule" }).click();
	await page.getByLabel("Priority").fill("1001");
	await save(page);
	await page.getByLabel("Priority").fill("20");
	await save(page);
	await row(page, "Domain contains forum").getByText("priority 20").waitFor();
	const { mappings } = await api<{ mappings: readonly Row[] }>("/referrer-mappings?account_id=shop");
	assert.deepEqual(
		mappings.map(({ referrer_pattern, match_type, utm_source }) => [referrer_pattern, match_type, utm_source]),
		[["forum", "contains", "Forum"]],
	);
	// A refused write is an error on the browser's console.
	await context.close();
});

const channels = "/channel-groups?account_id=shop";

test("a rule is tried on the sources of 30 days, kept as a draft that only the tester of drafts asks, and activated", async () => {
	const { page, goto, api, context } = await service.read();
	const rule = async () =>
		(await api<{ rules: readonly Rule[] }>(`${channels}&include_inactive=true&include_defaults=false`)).rules[0];
	await goto(`${settings}/channels`);
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
	const draft = await rule();
	assert.deepEqual([draft?.source_pattern, draft?.is_active], ["^Outdoor-deals\\.", false]);
	// The tester asks it only where drafts are asked.
	await page.getByLabel("Source", { exact: true }).fill("outdoor-deals.example");
	await page.getByLabel("Medium", { exact: true }).fill("affiliate");
	await page.getByRole("button", { name: "Test" }).click();
	await page.getByText("Affiliates (built-in rule)").waitFor();
	await page.getByLabel("Include drafts").check();
	await page.getByRole("button", { name: "Test" }).click();
	await page.getByText("Deals (your rule: Source starts with Outdoor-deals.)").waitFor();
	await page.getByRole("button", { name: "Activate: Deals" }).click();
	await page.getByText("“Deals” activated.").waitFor();
	assert.equal((await rule())?.is_active, true);
	await page.getByRole("button", { name: "Delete: Deals" }).click();
	await page.getByText("No custom rules. The built-in rules apply.").waitFor();
	// A refused expression is an error on the browser's console.
	await context.close();
});

test("rules are put in order by keys and by dragging, and imported after a look at what would happen", async () => {
	const { page, goto, api, leave } = await service.read();
	for (const [name, priority] of [
		["First", 50],
		["Second", 50],
		["Third", 20],
	] as const) {
		await service.send(`POST ${channels}`, { channel_name: name, source_pattern: name, priority });
	}
	const order = async () =>
		(await api<{ rules: readonly Rule[] }>(`${channels}&include_defaults=false`)).rules.map(
			({ channel_name: name }) => name,
		);
	await goto(`${settings}/channels`);
	const focused = (name: string) => page.getByRole("button", { name }).and(page.locator(":focus"));
	await page.getByRole("button", { name: "Move Third up" }).focus();
	await page.keyboard.press("Enter");
	await page.getByText("“Third” moved to position 2 of 3.").waitFor();
	await focused("Move Third up").waitFor();
	await page.keyboard.press("Enter");
	await page.getByText("“Third” moved to position 1 of 3.").waitFor();
	await focused("Move Third down").waitFor();
	assert.deepEqual(await order(), ["Third", "First", "Second"]);
	await undo(page, "“Third” moved to position 1 of 3.", "/channel-groups");
	assert.deepEqual(await order(), ["First", "Third", "Second"]);
	const item = (name: string) => row(page, `Source contains ${name}`);
	await item("Second").getByTitle("Drag to reorder").dragTo(item("First"));
	await page.getByText("“Second” moved to position 1 of 3.").waitFor();
	const good = { channel_name: "Good", source_pattern: "good" };
	const choose = (rules: readonly object[]) => {
		const buffer = Buffer.from(JSON.stringify({ version: 1, rules }));
		return page.getByLabel("File").setInputFiles({ name: "rules.json", mimeType: "application/json", buffer });
	};
	await page.getByRole("button", { name: "Import" }).click();
	await choose([good, { channel_name: "Bad", source_pattern: "(" }]);
	await page.getByText("Rule 2 (source_pattern): Not a valid RE2 expression, or too large a one").waitFor();
	await choose([good]);
	await page.getByText("1 rule added, 3 removed.").waitFor();
	await page.getByRole("dialog").getByRole("button", { name: "Import" }).click();
	await page.getByText("1 rule imported.").waitFor();
	assert.deepEqual(await order(), ["Good"]);
	await undo(page, "1 rule imported.", "/channel-groups");
	assert.deepEqual(await order(), ["Second", "First", "Third"]);
	await leave();
});

const filters = {
	conditions: [{ field: "utm_source", operator: "eq", value: "google" }],
	groups: [{ conditions: [{ field: "utm_medium", operator: "eq", value: "organic" }] }],
	not_groups: [{ conditions: [{ field: "utm_campaign", operator: "contains", value: "sale" }] }],
};

test("a segment of nested groups is made by keys alone; its count is that of the report, which leads to it", async () => {
	const { page, goto, api, leave } = await service.read();
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
	const { traffic } = await api<Overview>(
		`/stats/overview?site_id=shop&period=30d&segment_filters=${encodeURIComponent(JSON.stringify(filters))}`,
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
	const back = await api<{ filters: unknown }>("/segments/google-without-sales?account_id=shop");
	assert.deepEqual(back.filters, filters);
	await page.getByRole("link", { name: "Report: Google without sales" }).click();
	await page.waitForURL("**/sites/shop?segment=google-without-sales");
	await leave();
});

test("a shorter retention is confirmed and withdrawn; days are deleted by the site's name, and reports asked anew", async () => {
	const { page, goto, api, leave } = await service.read();
	await goto(`${settings}/data`);
	await page.getByLabel("Keep", { exact: true }).selectOption({ label: "2 years" });
	await save(page);
	const shorten = page.getByRole("dialog", { name: "Shorten the retention period" });
	await shorten.getByText("28 Nov 2024").waitFor();
	await shorten.getByLabel("Type “Shop” to confirm").fill("Shop");
	await shorten.getByRole("button", { name: "Shorten" }).click();
	await page.locator("main").getByText("Kept: Forever. From Sat, 28 Nov 2026: 2 years.").waitFor();
	await page.getByRole("button", { name: "Keep the current period" }).click();
	await page.getByText("Kept: Forever.", { exact: true }).waitFor();
	const visits = async () => (await api<Overview>("/stats/overview?site_id=shop&period=30d")).traffic.entrances;
	const before = await visits();
	await page.getByLabel("From").fill("2026-11-01");
	await page.getByLabel("To (inclusive)").fill("2026-11-10");
	await page.getByRole("button", { name: "Delete…" }).click();
	const dialog = page.getByRole("dialog", { name: "Delete data" });
	const act = dialog.getByRole("button", { name: "Delete data" });
	assert.ok(await act.isDisabled());
	await dialog.getByLabel("Type “Shop” to confirm").fill("Shop");
	await act.click();
	await page.getByRole("progressbar", { name: "Progress" }).waitFor();
	await finishDeletions(service.app);
	await page.getByText("Deleted", { exact: true }).waitFor();
	assert.ok((await visits()) < before);
	await leave();
});

test("a thank-you page counts as a conversion after three clicks at the goals, is edited, and counts no more", async () => {
	const { page, context, goto, api } = await service.read();
	const kept = async () =>
		(await api<{ goals: readonly Row[] }>("/sites/shop")).goals.map((goal) => [
			goal["pattern"],
			goal["conversion_type"],
			goal["amount"],
		]);
	await goto("/sites/shop/goals");
	await page.getByRole("button", { name: "Track a page" }).click();
	await page.getByLabel("Page path").fill("thank-you");
	await page.getByLabel("Conversion type").fill("order");
	await page.getByRole("button", { name: "Add", exact: true }).click();
	await page.getByText("that of a page begins with / or *").waitFor();
	await page.getByLabel("Page path").fill("/thank-you");
	await page.getByLabel("Value in EUR").fill("12.5");
	await page.getByRole("button", { name: "Add", exact: true }).click();
	await page.getByText("/thank-you → order, €12.50").waitFor();
	assert.deepEqual(await kept(), [["/thank-you", "order", 12.5]]);
	await page.getByRole("button", { name: "Edit “/thank-you”" }).click();
	await page.getByLabel("Page path").fill("/done/**");
	await page.getByRole("button", { name: "Save" }).click();
	await page.getByRole("button", { name: "Stop counting “/done/**”" }).click();
	await page.getByText("Counted without code").waitFor({ state: "detached" });
	assert.deepEqual(await kept(), []);
	await undo(page, "Saved. Counts from now on.", "/sites");
	await page.getByText("/done/** → order, €12.50").waitFor();
	// The browser logs the refusal as an error.
	await context.close();
});
