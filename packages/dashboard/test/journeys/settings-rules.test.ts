import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import type { Page } from "../../../server/test/support/browser.ts";
import { sendHit } from "../../../server/test/support/hits.ts";
import { type DashboardService, openDashboard } from "../support/open-dashboard.ts";

type Row = Readonly<Record<string, unknown>>;
interface Rule {
	readonly id: number;
	readonly channel_name: string;
	readonly source_pattern: string | null;
	readonly is_active: boolean;
}

let service: DashboardService;
before(async () => {
	service = await openDashboard();
});
after(() => service?.close());

const whole = new Intl.NumberFormat("en-GB");

/** The API's answer to a body. */
async function post<T>(path: string, payload: object): Promise<T> {
	const answer = await service.app.inject({
		method: "POST",
		url: `/api/v1${path}`,
		headers: service.ann.headers,
		payload,
	});
	assert.ok(answer.statusCode < 300, answer.body);
	const body = answer.json();
	return "success" in body ? body.data : body;
}

/** Takes back what has just been told; it is done when its list is asked again. */
async function undo(page: Page, told: string, list: string): Promise<void> {
	const again = page.waitForResponse((one) => one.request().method() === "GET" && one.url().includes(`/api/v1${list}`));
	await page.getByRole("status").getByText(told).getByRole("button", { name: "Undo" }).click();
	await again;
	await page.getByText("Undone.").last().waitFor();
}

test("a rule is tried on the sources of 30 days, kept as a draft, activated, and then counts", async () => {
	const { page, goto, api, context } = await service.read();
	const { data: rows } = await post<{ data: readonly Row[] }>("/stats/query?site_id=shop", {
		date_from: "2026-10-23",
		date_to: "2026-11-21",
		dimensions: ["utm_source", "channel_group"],
		metrics: ["entrances"],
		filters: { utm_source: "outdoor-deals.example" },
	});
	const [{ channel_group: from, entrances } = {}] = rows;
	assert.deepEqual([rows.length, from], [1, "Affiliates"]);
	const tried = `Would move ${whole.format(Number(entrances))} visits from Affiliates to Deals`;
	const rules = async () =>
		(
			await api<{ rules: readonly Rule[] }>(
				"/channel-groups?account_id=shop&include_inactive=true&include_defaults=false",
			)
		).rules;
	await goto("/sites/shop/settings/channels");
	await page.getByRole("button", { name: "New rule" }).click();
	await page.getByText("Enter a channel and a condition").waitFor();
	await page.getByLabel("Channel", { exact: true }).fill("Deals");
	const how = page.getByRole("group", { name: "Conditions" }).getByLabel("Source", { exact: true });
	await how.selectOption("matches");
	await page.getByLabel("Source: text").fill("(");
	await page.getByText("Not a valid RE2 expression, or too large a one").waitFor();
	await how.selectOption("starts with");
	await page.getByLabel("Source: text").fill("Outdoor-deals.");
	await page.getByText(tried).waitFor();
	await page.getByRole("button", { name: "Save" }).click();
	await page.getByText("“Deals” saved as a draft.").waitFor();
	const [draft] = await rules();
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
	for (const ip of ["203.0.113.1", "203.0.113.2", "203.0.113.3"]) {
		const url = "https://shop.example/?utm_source=outdoor-deals.example&utm_medium=affiliate";
		assert.equal(await sendHit(service.app, { site: "shop", url, ip }), 204);
	}
	await service.app.collector?.flush();
	await goto("/sites/shop?period=today&panel=channels&compare=none");
	const row = page.getByRole("dialog").getByRole("row").filter({ hasText: "Deals" });
	assert.equal(await row.getByRole("cell").first().textContent(), "3");
	// Stored visits keep their channel.
	const { data: after } = await post<{ data: readonly Row[] }>("/stats/query?site_id=shop", {
		date_from: "2026-10-23",
		date_to: "2026-11-21",
		dimensions: ["channel_group"],
		metrics: ["entrances"],
		filters: { utm_source: "outdoor-deals.example" },
	});
	assert.deepEqual(
		after.map(({ channel_group, entrances: visits }) => [channel_group, visits]),
		[
			["Affiliates", entrances],
			["Deals", 3],
		],
	);
	await goto("/sites/shop/settings/channels");
	await page.getByRole("button", { name: "Deactivate: Deals" }).click();
	await undo(page, "“Deals” deactivated.", "/channel-groups");
	assert.equal((await rules())[0]?.is_active, true);
	await page.getByRole("button", { name: "Delete: Deals" }).click();
	await page.getByText("No custom rules. The built-in rules apply.").waitFor();
	// A refused expression is an error on the browser's console.
	await context.close();
});

test("rules are put in order by keys and by dragging, exported, and imported after a look at what would happen", async () => {
	const { page, goto, api, leave } = await service.read();
	for (const [name, priority] of [
		["First", 50],
		["Second", 50],
		["Third", 20],
	] as const) {
		await post("/channel-groups?account_id=shop", { channel_name: name, source_pattern: name, priority });
	}
	const order = async () =>
		(await api<{ rules: readonly Rule[] }>("/channel-groups?account_id=shop&include_defaults=false")).rules.map(
			({ channel_name: name }) => name,
		);
	await goto("/sites/shop/settings/channels");
	await page.getByRole("button", { name: "Move Third up" }).focus();
	await page.keyboard.press("Enter");
	await page.getByText("“Third” moved to position 2 of 3.").waitFor();
	assert.deepEqual(await order(), ["First", "Third", "Second"]);
	await page.getByRole("button", { name: "Move Third up" }).and(page.locator(":focus")).waitFor();
	await page.keyboard.press("Enter");
	await page.getByText("“Third” moved to position 1 of 3.").waitFor();
	await page.getByRole("button", { name: "Move Third down" }).and(page.locator(":focus")).waitFor();
	assert.deepEqual(await order(), ["Third", "First", "Second"]);
	await undo(page, "“Third” moved to position 1 of 3.", "/channel-groups");
	assert.deepEqual(await order(), ["First", "Third", "Second"]);
	const item = (name: string) => page.getByRole("listitem").filter({ hasText: `Source contains ${name}` });
	await item("Second").getByTitle("Drag to reorder").dragTo(item("First"));
	await page.getByText("“Second” moved to position 1 of 3.").waitFor();
	assert.deepEqual(await order(), ["Second", "First", "Third"]);

	const saved = page.waitForEvent("download");
	await page.getByRole("button", { name: "Export" }).click();
	const file = await (await saved).path();
	const exported = JSON.parse(readFileSync(file, "utf8"));
	assert.deepEqual(
		exported.rules.map(({ channel_name: name }: Rule) => name),
		["Second", "First", "Third"],
	);
	const buffer = (rules: readonly object[]) => Buffer.from(JSON.stringify({ version: 1, rules }));
	const choose = (rules: readonly object[]) =>
		page.getByLabel("File").setInputFiles({ name: "rules.json", mimeType: "application/json", buffer: buffer(rules) });
	await page.getByRole("button", { name: "Import" }).click();
	await choose([
		{ channel_name: "Good", source_pattern: "good" },
		{ channel_name: "Bad", source_pattern: "(" },
	]);
	await page.getByText("1 rule added, 3 removed.").waitFor();
	await page.getByText("Rule 2 (source_pattern): Not a valid RE2 expression, or too large a one").waitFor();
	await choose([{ channel_name: "Good", source_pattern: "good" }]);
	await page.getByLabel("Replace").selectOption("drafts");
	await page.getByText("1 rule added, 0 removed.").waitFor();
	await page.getByLabel("Replace").selectOption("all");
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
	groups: [
		{ conditions: [{ field: "utm_medium", operator: "eq", value: "cpc" }] },
		{ conditions: [{ field: "utm_medium", operator: "eq", value: "organic" }] },
	],
	not_groups: [{ conditions: [{ field: "utm_campaign", operator: "contains", value: "sale" }] }],
};

test("a segment of nested groups is made by keys alone; its count is that of the report", async () => {
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
	const addTo = async (where: string, value: string, steps: { field?: number; how?: number } = {}) => {
		await press(`Condition: add to “${where}”`);
		await down("Property", steps.field ?? 0);
		await down("Condition", steps.how ?? 0);
		await page.getByLabel("Value").focus();
		await page.keyboard.type(value);
		await page.keyboard.press("Enter");
		await page.getByRole("list", { name: where }).getByText(value).waitFor();
	};
	await goto("/sites/shop/settings/segments");
	await press("New segment");
	await addTo("Match all", "google");
	await press("Add group");
	await addTo("And any of, Group 1", "cpc", { field: 1 });
	await press("Add group");
	await addTo("And any of, Group 2", "organic", { field: 1 });
	await press("Add exclusion");
	await addTo("Exclude, Group 1", "sale", { field: 2, how: 4 });
	const chosen = await api<{ traffic: { entrances: number } }>(
		`/stats/overview?site_id=shop&period=30d&segment_filters=${encodeURIComponent(JSON.stringify(filters))}`,
	);
	await page.getByText(`${whole.format(chosen.traffic.entrances)} visits in the last 30 days`).waitFor();
	// The tab goes away and comes back: nothing is lost.
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
	const stored = await api<{ filters: unknown; color: string | null }>(
		"/segments/google-without-sales?account_id=shop",
	);
	assert.deepEqual([stored.filters, stored.color], [filters, null]);
	await page.getByRole("button", { name: "New segment" }).and(page.locator(":focus")).waitFor();
	await press("Duplicate: Google without sales");
	await page.getByText("“Google without sales (copy)” created.").waitFor();
	await press("Delete: Google without sales (copy)");
	await page.getByText("“Google without sales (copy)” deleted.").waitFor();
	await press("Edit: Google without sales");
	await page.getByLabel("None", { exact: true }).focus();
	await page.keyboard.press("ArrowRight");
	await page.getByLabel("Name").focus();
	await page.keyboard.press("Enter");
	await page.getByText("“Google without sales” updated.").waitFor();
	const coloured = await api<{ filters: unknown; color: string }>("/segments/google-without-sales?account_id=shop");
	assert.deepEqual([coloured.filters, coloured.color], [filters, "#3b82f6"]);
	await press("Delete: Google without sales");
	await page.getByText("“Google without sales” deleted.").waitFor();
	await page.getByText("No custom segments.").waitFor();
	await undo(page, "“Google without sales” deleted.", "/segments");
	const back = await api<{ filters: unknown; color: string }>("/segments/google-without-sales?account_id=shop");
	assert.deepEqual([back.filters, back.color], [filters, "#3b82f6"]);
	await leave();
});

test("the report's choice of segments leads to them, and they lead to the report", async () => {
	const { page, goto, leave } = await service.read();
	await goto("/sites/shop");
	await page.getByRole("button", { name: "Segment", exact: true }).click();
	await page.getByRole("link", { name: "Manage segments" }).click();
	await page.waitForURL("**/sites/shop/settings/segments");
	await page.getByRole("button", { name: "Show: Mobile" }).click();
	await page.getByRole("dialog", { name: "Mobile" }).getByText("Device is Mobile").waitFor();
	await page.getByRole("button", { name: "Close" }).click();
	await page.getByRole("link", { name: "Report: Mobile" }).click();
	await page.waitForURL("**/sites/shop?segment=mobile");
	await leave();
});
