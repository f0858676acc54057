import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { noteFindings } from "../../../server/src/features/delivering/lens/insights/note-findings.ts";
import type { Finding } from "../../../server/src/features/delivering/lens/rules/finding.ts";
import type { Page } from "../../../server/test/support/browser.ts";
import { tabTo } from "../support/acts.ts";
import { axeFaults } from "../support/axe.ts";
import { geometryFaults } from "../support/geometry.ts";
import { type DashboardService, openDashboard } from "../support/open-dashboard.ts";

interface Note {
	readonly date: string;
	readonly hour: number | null;
	readonly text: string;
	readonly kind: string;
}

let service: DashboardService;
before(async () => {
	service = await openDashboard();
});
after(() => service?.close());

const chart = (page: Page) => page.getByRole("slider");
const mark = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
const dialog = (page: Page, name: string) => page.getByRole("dialog", { name });

test("a note is written beside a point, read on the chart, changed and taken away, by keys alone", async () => {
	const { page, goto, api, leave } = await service.read();
	const notes = async () =>
		(await api<Note[]>("/annotations?account_id=shop")).map(({ date, text, kind }) => `${date} ${kind} ${text}`);
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
	assert.deepEqual(await notes(), ["2026-11-16 note Television spot"]);
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
	assert.deepEqual(await notes(), ["2026-11-16 campaign Television spot at nine"]);
	await openMark();
	await page.getByRole("button", { name: "Delete" }).waitFor();
	await tabTo(page, "Delete", 12);
	await page.keyboard.press("Enter");
	await mark(page, /^1 annotation/).waitFor({ state: "detached" });
	await page.getByRole("button", { name: "Undo" }).last().click();
	await mark(page, "1 annotation: Television spot at nine").waitFor();
	await leave();
});

test("a note is written from the chart's head by touch; marks that have no room become one", async () => {
	for (const day of ["08", "09", "10"])
		await service.send("POST /annotations?account_id=shop", { date: `2026-11-${day}`, text: `N${day}` });
	const { page, goto, api, leave } = await service.read({ width: 390, hasTouch: true });
	await goto("/sites/shop?period=30d");
	await mark(page, "3 annotations: N08, N09, N10").waitFor();
	await page.getByRole("button", { name: "Annotation", exact: true }).tap();
	const form = dialog(page, "Add annotation");
	await form.getByLabel("Text").fill("New prices");
	await form.getByLabel("Day").fill("2026-11-02");
	await form.getByLabel(/^Hour/).selectOption("09:00");
	await form.getByRole("button", { name: "Save" }).tap();
	await mark(page, "1 annotation: New prices").waitFor();
	const [note] = await api<Note[]>("/annotations?account_id=shop&to_date=2026-11-02");
	assert.deepEqual([note?.date, note?.hour, note?.text], ["2026-11-02", 9, "New prices"]);
	await leave();
});

test("what opens above the report has no fault of axe, and fits on a desk and on a phone; an alert is acknowledged there", async () => {
	const often = { condition_type: "absolute_threshold", threshold_value: 1, comparison_window: "24h" };
	await service.send("POST /alerts/rules?account_id=shop", { name: "Busy", ...often });
	await service.app.jobs.enqueue(service.app.metadata, { kind: "alert-evaluation" });
	await service.app.jobs.runDue();
	const { page, goto, leave } = await service.read({ bypassCSP: true });
	for (const width of [1440, 320]) {
		await page.setViewportSize({ width, height: 900 });
		await goto("/sites/shop?period=30d");
		for (const opener of [/^1 alert|alert: Busy/, "Annotation", "Views"]) {
			await page.getByRole("button", { name: opener, exact: true }).click();
			await page.locator("dialog[open], [popover]:popover-open").first().waitFor();
			if (width === 1440) assert.deepEqual(await axeFaults(page), [], String(opener));
			assert.deepEqual(await geometryFaults(page), [], `${opener}, ${width} px`);
			await page.keyboard.press("Escape");
		}
	}
	await page.setViewportSize({ width: 1440, height: 900 });
	await goto("/sites/shop?period=7d");
	await mark(page, "1 alert: Busy").click();
	await page.getByRole("button", { name: "Acknowledge…" }).click();
	await page.getByLabel("Note").fill("The newsletter went out");
	await page.getByRole("button", { name: "Acknowledge", exact: true }).click();
	await page.getByText("“Busy” acknowledged.").waitFor();
	await leave();
});

const drop: Finding = {
	...{ rule: "traffic_drop", entity: null, severity: "red", unit: "count", confidence: "high", other: null },
	...{ value: 1260, baseline: 2100, change: -40, threshold: 20, impact: -840 },
	sample: { days: 14, events: 3360, conversions: null },
	interval: { low: 1192.32, high: 1331.52 },
	baselineInterval: { low: 2012.08, high: 2191.76 },
};

test("the worst unread insight stands above the cards of the report, opens, leads to its figures and is put away", async () => {
	const { metadata, clock } = service.app;
	const email: Finding = { ...drop, rule: "channel_drop", entity: "Email", severity: "yellow", impact: null };
	const days = {
		now: { start: "2026-11-14", end: "2026-11-20" },
		before: { start: "2026-11-07", end: "2026-11-13" },
	};
	await noteFindings(metadata, { siteId: "shop", findings: [drop, email], days, nowMs: clock.now() });
	const { page, goto, leave } = await service.read();
	await goto("/sites/shop");
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
	await page.getByLabel("Unread only").check();
	await card.waitFor({ state: "detached" });
	await page.getByLabel("Severity").selectOption("green");
	await page.getByText("No results for these filters.").waitFor();
	await page.getByRole("button", { name: "Show all" }).click();
	await card.getByRole("button", { name: "Dismiss: Visits fell by 40 %" }).click();
	await card.waitFor({ state: "detached" });
	await leave();
});
