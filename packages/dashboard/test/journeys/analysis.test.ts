import assert from "node:assert/strict";
import { test } from "node:test";
import { noteFindings } from "../../../server/src/features/delivering/lens/insights/note-findings.ts";
import type { Finding } from "../../../server/src/features/delivering/lens/rules/finding.ts";
import { signIn } from "../../../server/test/support/accounts.ts";
import type { Page } from "../../../server/test/support/browser.ts";
import { giveSiteRole } from "../../../server/test/support/site-roles.ts";
import type { Answer } from "../../src/api/client.ts";
import { addressed, savedBy, tabTo, whole } from "../support/acts.ts";
import { axeFaults } from "../support/axe.ts";
import { fits } from "../support/geometry.ts";
import { sharedDashboard } from "../support/open-dashboard.ts";

const service = sharedDashboard(undefined, async ({ app }) => {
	const bob = await signIn(app, { email: "bob@example.com", name: "Bob" });
	await giveSiteRole(app, "shop", bob.userId, "viewer");
});

/** Presses a button by keys. */
async function press(page: Page, name: string): Promise<void> {
	await page.getByRole("button", { name, exact: true }).focus();
	await page.keyboard.press("Enter");
}

test("the totals of a pivot are those of the overview, with filters too; dimensions are added, moved and taken away by keys", async (t) => {
	const figures = ["entrances", "visitors", "bounce_rate"].map((key) => `view=fig:${key}`).join("&");
	const { page, goto, api } = await service.open(
		t,
		`/sites/shop/explore?period=7d&compare=none&view=row:utm_source&view=col:device_type&${figures}`,
	);
	/** The row of totals is that of the overview; answers its visits. */
	const total = async (filters = "") => {
		const { traffic } = await api("GET /stats/overview", `?site_id=shop&period=7d${filters}`);
		const [visits, visitors] = [whole.format(traffic.entrances), whole.format(traffic.visitors)];
		const row = page.getByRole("row", { name: /^All/ }).filter({ hasText: visits });
		await row.waitFor();
		const cells = (await row.getByRole("cell").allTextContents()).slice(-3);
		assert.deepEqual(cells, [visits, visitors, `${traffic.bounce_rate.toFixed(1)} %`]);
		return visits;
	};
	const all = await total();
	await page.getByRole("rowheader", { name: "google" }).getByRole("button").click();
	await addressed(page, "f=utm_source:eq:google");
	assert.notEqual(await total("&filters=utm_source:eq:google"), all);

	await goto("/sites/shop/explore?period=7d&view=row:utm_source&view=fig:entrances");
	await press(page, "Add row dimension");
	await press(page, "Country");
	await page.getByRole("columnheader", { name: "Source › Country" }).waitFor();
	await press(page, "Country");
	await press(page, "Move to columns");
	await addressed(page, "view=col:country");
	await page.getByRole("columnheader", { name: "Spain" }).waitFor();
	await press(page, "Remove Source");
	await page.getByRole("columnheader", { name: "Source" }).waitFor({ state: "detached" });
});

test("conversions one by one are listed and saved newest first", async (t) => {
	const { page } = await service.open(t, "/sites/shop/goals/events?period=7d");
	await page.getByText("Time zone: Europe/Madrid. Newest first.").waitFor();
	const times = page.getByRole("rowheader");
	assert.deepEqual(
		[await times.first().textContent(), await times.last().textContent()],
		["21 Nov, 12:17:55", "15 Nov, 13:26:45"],
	);
	const file = await savedBy(page, () => page.getByRole("button", { name: "CSV", exact: true }).click());
	const saved = file.split("\r\n").map((line) => line.slice(0, 19));
	assert.deepEqual([saved[1], saved.at(-2)], ["2026-11-21T12:17:55", "2026-11-15T13:26:45"]);
});

/** Waits until the drawing is of these steps, and compares its figures with what the API answers. */
async function drawn(page: Page, steps: readonly string[]): Promise<void> {
	const funnel = await service.send<Answer<"POST /stats/funnel">>("POST /stats/funnel?site_id=shop&period=30d", {
		steps,
	});
	const items = page.getByRole("list", { name: "Visits by step" }).getByRole("listitem");
	for (const [at, step] of steps.entries()) await items.nth(at).getByText(step, { exact: true }).waitFor();
	await page.getByText(`visits completed the funnel: ${funnel.overall_conversion_rate.toFixed(1)} %`).waitFor();
	assert.deepEqual(
		await items.locator("strong").allTextContents(),
		funnel.steps.map(({ count }) => whole.format(count)),
	);
}

test("a funnel is built by mouse and by keys, shows what the API answers, and its steps change places", async (t) => {
	const { page } = await service.open(t, "/sites/shop/funnels");
	await page.getByLabel("Step 1", { exact: true }).fill("/");
	await page.getByLabel("Type of step 2").selectOption("event");
	await page.getByLabel("Step 2", { exact: true }).fill("add_to_cart");
	await page.getByRole("button", { name: "Add page" }).click();
	await addressed(page, "view=event:add_to_cart");
	await page.getByLabel("Step 3", { exact: true }).fill("/shop*");
	await page.getByRole("heading", { name: "Funnels" }).click();
	await drawn(page, ["/", "add_to_cart", "/shop*"]);
	await page.getByRole("button", { name: "Remove step 2" }).click();
	await drawn(page, ["/", "/shop*"]);
	await press(page, "Add event");
	await page.getByLabel("Step 3", { exact: true }).focus();
	await page.keyboard.type("add_to_cart");
	await page.keyboard.press("Enter");
	await drawn(page, ["/", "/shop*", "add_to_cart"]);
	await page.getByLabel("Step 3", { exact: true }).and(page.locator(":focus")).waitFor();
	await press(page, "Move step 2 up");
	await drawn(page, ["/shop*", "/", "add_to_cart"]);
});

const views = (page: Page) => page.getByRole("button", { name: "Views", exact: true }).click();

test("a funnel is kept, kept again under its name, shared and renamed; a colleague opens it, cannot change it, and keeps one alone", async (t) => {
	const steps = "view=page:/&view=event:add_to_cart";
	const { page, goto } = await service.open(t, "/sites/shop/funnels?period=90d&view=page:/&view=page:/shop*");
	await views(page);
	await page.getByLabel("Save this view as").fill("To the cart");
	await page.getByLabel("Share with everyone on this site").check();
	await page.getByRole("button", { name: "Save" }).click();
	await page.getByText("“To the cart” saved.").waitFor();
	await goto(`/sites/shop/funnels?period=7d&${steps}`);
	await views(page);
	await page.getByLabel("Save this view as").fill("To the cart");
	await page.getByRole("button", { name: "Replace" }).click();
	await page.getByText("“To the cart” updated.").waitFor();

	const bob = await service.read(t, { as: "bob@example.com" });
	await bob.goto("/sites/shop/funnels");
	await views(bob.page);
	const shared = bob.page.getByRole("region", { name: "Shared by colleagues" });
	await shared.getByText("by Ann").waitFor();
	assert.equal(await bob.page.getByRole("button", { name: /^Edit/ }).count(), 0);
	assert.equal(await bob.page.getByLabel("Share with everyone on this site").count(), 0);
	await shared.getByRole("button", { name: /^To the cart/ }).click();
	await bob.page.waitForURL((url) => url.search === `?period=7d&${steps}`);
	await views(bob.page);
	await bob.page.locator('[aria-current="true"]', { hasText: "To the cart" }).waitFor();
	await bob.page.getByLabel("Save this view as").fill("Mine");
	await bob.page.keyboard.press("Enter");
	await bob.page.getByText("“Mine” saved.").waitFor();

	await goto("/sites/shop/funnels");
	await views(page);
	assert.equal(await page.getByText("Mine").count(), 0);
	await page.getByRole("button", { name: "Edit “To the cart”" }).click();
	await page.getByLabel("Name", { exact: true }).fill("Into the cart");
	await page.getByRole("button", { name: "Save" }).first().click();
	await page
		.getByRole("region", { name: "Your views" })
		.getByRole("button", { name: /^Into the cart/ })
		.waitFor();
	// Saved funnels are on the screen, too, as long as no step is chosen.
	await page.keyboard.press("Escape");
	await page.getByRole("button", { name: "Into the cart" }).click();
	await page.waitForURL((url) => url.search === `?period=7d&${steps}`);
});

const chart = (page: Page) => page.getByRole("slider");
const mark = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
const dialog = (page: Page, name: string) => page.getByRole("dialog", { name });

test("a note is written beside a point, read on the chart, changed and taken away, by keys alone", async (t) => {
	const { page, goto, api } = await service.read(t);
	const openMark = async () => {
		await chart(page).focus();
		await tabTo(page, /^1 annotation/, 12);
		await page.keyboard.press("Enter");
	};
	await goto("/sites/shop?period=7d");
	await chart(page).focus();
	for (const key of ["Home", "ArrowRight", "Enter"]) await page.keyboard.press(key);
	await dialog(page, "Add annotation").getByLabel("Text").and(page.locator(":focus")).waitFor();
	await page.keyboard.type("Television spot");
	await page.keyboard.press("Enter");
	await mark(page, "1 annotation: Television spot").waitFor();
	await openMark();
	await page.getByText("Note · Mon, 16 Nov 2026 · by Ann").waitFor();
	await tabTo(page, "Edit", 12);
	await page.keyboard.press("Enter");
	const change = dialog(page, "Edit annotation");
	await change.getByLabel("Text").and(page.locator(":focus")).waitFor();
	await page.keyboard.press("End");
	await page.keyboard.type(" at nine");
	await change.getByLabel("Type").selectOption("campaign");
	await page.keyboard.press("Enter");
	await mark(page, "1 annotation: Television spot at nine").waitFor();
	const [note] = await api("GET /annotations", "?account_id=shop");
	assert.deepEqual([note?.date, note?.kind, note?.text], ["2026-11-16", "campaign", "Television spot at nine"]);
	await openMark();
	await page.getByRole("button", { name: "Delete" }).waitFor();
	await tabTo(page, "Delete", 12);
	await page.keyboard.press("Enter");
	await mark(page, /^1 annotation/).waitFor({ state: "detached" });
	await page.getByRole("button", { name: "Undo" }).last().click();
	await mark(page, "1 annotation: Television spot at nine").waitFor();
});

test("dialogs and drawers of the report, alerts too, have no fault of axe, and fit on a desk and on a phone", async (t) => {
	const often = { condition_type: "absolute_threshold", threshold_value: 1, comparison_window: "24h" };
	await service.send("POST /alerts/rules?account_id=shop", { name: "Busy", ...often });
	await service.app.jobs.enqueue(service.app.metadata, { kind: "alert-evaluation" });
	await service.app.jobs.runDue();
	const { page, goto } = await service.read(t, { bypassCSP: true });
	for (const width of [1440, 320]) {
		await page.setViewportSize({ width, height: 900 });
		await goto("/sites/shop?period=30d");
		for (const opener of [/^1 alert|alert: Busy/, "Annotation", "Views", /^Period: /, /^Comparison: /]) {
			await page.getByRole("button", { name: opener, exact: true }).click();
			await page.locator("dialog[open], [popover]:popover-open").first().waitFor();
			if (width === 1440) assert.deepEqual(await axeFaults(page), [], String(opener));
			await fits(page, [width], String(opener));
			await page.keyboard.press("Escape");
		}
	}
});

const drop: Finding = {
	...{ rule: "traffic_drop", entity: null, severity: "red", unit: "count", confidence: "high", other: null },
	...{ value: 1260, baseline: 2100, change: -40, threshold: 20, impact: -840 },
	sample: { days: 14, events: 3360, conversions: null },
	interval: { low: 1192.32, high: 1331.52 },
	baselineInterval: { low: 2012.08, high: 2191.76 },
};

test("the worst unread insight stands above the cards of the report, opens, leads to its figures and is put away", async (t) => {
	const { metadata, clock } = service.app;
	const email: Finding = { ...drop, rule: "channel_drop", entity: "Email", severity: "yellow", impact: null };
	const days = { now: { start: "2026-11-14", end: "2026-11-20" }, before: { start: "2026-11-07", end: "2026-11-13" } };
	await noteFindings(metadata, { siteId: "shop", findings: [drop, email], days, nowMs: clock.now() });
	const { page } = await service.open(t, "/sites/shop");
	const strip = page.getByRole("region", { name: "New insights" });
	await strip.getByText("+1").waitFor();
	await strip.getByRole("button", { name: "Show" }).click();
	await strip.getByRole("link", { name: "View: Visits fell by 40 %" }).click();
	await page.waitForURL(/\/why\?/);
	assert.equal(new URL(page.url()).searchParams.get("from"), "2026-11-14");
	await strip.getByRole("link", { name: "All insights" }).click();
	const card = page.getByRole("region", { name: "Fewer visits", exact: true });
	await card.getByText("Evidence").click();
	await card.getByText("1,260 (1,192 – 1,332)").waitFor();
	await card.getByRole("button", { name: "Helpful", exact: true }).click();
	await page.getByText("Thanks for the feedback.").waitFor();
	await card.getByRole("button", { name: "Read: Visits fell by 40 %" }).click();
	await card.getByRole("button", { name: "Mark as unread: Visits fell by 40 %" }).waitFor();
	await card.getByRole("button", { name: "Dismiss: Visits fell by 40 %" }).click();
	await card.waitFor({ state: "detached" });
});
