import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page } from "../../../server/test/support/browser.ts";
import { type DashboardService, openDashboard } from "../support/open-dashboard.ts";

interface Overview {
	readonly traffic: Readonly<Record<"entrances" | "visitors" | "page_views" | "bounce_rate", number>>;
	readonly conversions: Readonly<Record<"conversions" | "revenue" | "conversion_rate", number>>;
	readonly traffic_change?: Readonly<Record<"entrances", number>>;
	readonly entrances_series: { readonly points: readonly { readonly date: string; readonly value: number }[] };
}

let service: DashboardService;
before(async () => {
	service = await openDashboard();
});
after(() => service?.close());

const strip = (page: Page) => page.getByRole("region", { name: "Key metrics" });
const tile = (page: Page, name: string) => strip(page).getByRole("button", { name: new RegExp(`^${name}`) });
const chart = (page: Page) => page.getByRole("slider");
const whole = new Intl.NumberFormat("en-GB");
const overview = "/stats/overview?site_id=shop&period=7d&compare=previous&compare_align=elapsed&series=entrances";

/** Waits until the address says something, or no longer does. */
const addressed = (page: Page, part: string, isThere = true) =>
	page.waitForURL((url) => decodeURIComponent(url.search).includes(part) === isThere);

test("tiles, chart and table show what the API answers, and what it was before", async () => {
	const { page, goto, api, leave } = await service.read();
	const answer = await api<Overview>(overview);
	const { traffic, conversions, traffic_change: earlier, entrances_series: series } = answer;
	await goto("/sites/shop?period=7d");
	await tile(page, `Visits\\s*${whole.format(traffic.entrances)}`).waitFor();
	await tile(page, `Visitors\\s*${whole.format(traffic.visitors)}`).waitFor();
	await tile(page, `Page views\\s*${whole.format(traffic.page_views)}`).waitFor();
	await tile(page, `Bounce rate\\s*${traffic.bounce_rate.toFixed(1)} %`).waitFor();
	await tile(page, `Conversions\\s*${whole.format(conversions.conversions)}`).waitFor();
	await tile(page, `Conversion rate\\s*${conversions.conversion_rate.toFixed(1)} %`).waitFor();
	await tile(page, "Visits")
		.getByTitle(`${whole.format(traffic.entrances)} · previous: ${whole.format(earlier?.entrances ?? 0)}`)
		.waitFor();
	await page.getByRole("button", { name: "As a table" }).click();
	const rows = page.getByRole("table").first().getByRole("row");
	await rows.nth(series.points.length).waitFor();
	const cells = await rows.locator("td:nth-of-type(1)").allTextContents();
	assert.deepEqual(
		cells,
		series.points.map(({ value }) => whole.format(value)),
	);
	await leave();
});

test("a second metric has its line, survives a reload, and leaves when the reader goes back", async () => {
	const { page, goto, leave } = await service.read();
	await goto("/sites/shop?period=7d");
	await tile(page, "Revenue").click({ modifiers: ["Shift"] });
	await addressed(page, "metric2=revenue");
	await page
		.getByRole("combobox", { name: "Second metric" })
		.and(page.locator(":has(option:checked[value=revenue])"))
		.waitFor();
	await tile(page, "Conversions").click();
	await addressed(page, "metric=conversions");
	await page.reload();
	await page.getByRole("heading", { name: "Conversions", level: 2 }).waitFor();
	await page.locator('button[aria-pressed="true"]', { hasText: "Revenue" }).waitFor();
	await page.goBack();
	await page.getByRole("heading", { name: "Visits", level: 2 }).waitFor();
	await page.goBack();
	await addressed(page, "metric2", false);
	await page.locator('button[aria-pressed="false"]', { hasText: "Revenue" }).waitFor();
	await leave();
});

test("periods are chosen, stepped through and compared by keys alone", async () => {
	const { page, goto, leave } = await service.read();
	await goto("/sites/shop");
	const days = (name: string) => page.getByRole("button", { name: `Period: ${name}` }).waitFor();
	await days("Last 30 days 23 Oct – 21 Nov");
	await page.keyboard.press("w");
	await days("Last 7 days 15 – 21 Nov");
	await page.keyboard.press("ArrowLeft");
	await days("Custom range 8 – 14 Nov");
	await page.keyboard.press("ArrowRight");
	await addressed(page, "period=7d");
	await page.keyboard.press("x");
	await page.getByRole("button", { name: "Comparison: No comparison" }).waitFor();
	await page.keyboard.press("p");
	await days("Last month 1 – 31 Oct");
	await page.keyboard.press("3");
	await page.getByRole("heading", { name: "Page views", level: 2 }).waitFor();
	await leave();
});

test("arrow keys walk along the chart, which says each point with what it was before", async () => {
	const { page, goto, api, leave } = await service.read();
	const { entrances_series: series } = await api<Overview>(overview);
	const [first, second] = series.points.map(({ value }) => whole.format(value));
	await goto("/sites/shop?period=7d");
	await chart(page).focus();
	await page.keyboard.press("Home");
	await page.locator(`[role=slider][aria-valuetext^="Sun, 15 Nov 2026: Visits ${first}; Sun, 8 Nov 2026: "]`).waitFor();
	await page.keyboard.press("ArrowRight");
	await page.locator(`[role=slider][aria-valuetext^="Mon, 16 Nov 2026: Visits ${second}; "]`).waitFor();
	await page.keyboard.press("End");
	await page.locator('[role=slider][aria-valuetext^="Sat, 21 Nov 2026 (up to 13:00): "]').waitFor();
	// The chart keeps its arrows: the period stayed.
	assert.equal(new URL(page.url()).search, "?period=7d");
	await leave();
});

test("own days are written into the address; days that are turned around are refused in words", async () => {
	const { page, goto, leave } = await service.read();
	await goto("/sites/shop");
	await page.getByRole("button", { name: /^Period: / }).click();
	await page.getByLabel("From", { exact: true }).fill("2026-11-10");
	await page.getByLabel("To", { exact: true }).fill("2026-11-01");
	await page.getByRole("button", { name: "Apply" }).click();
	await page.getByText("The end date is before the start date.").waitFor();
	await page.getByLabel("From", { exact: true }).fill("2026-10-01");
	await page.getByLabel("To", { exact: true }).fill("2026-10-03");
	await page.getByRole("button", { name: "Apply" }).click();
	await addressed(page, "from=2026-10-01&to=2026-10-03");
	await page.getByRole("button", { name: "Period: Custom range 1 – 3 Oct" }).waitFor();
	await leave();
});

test("the definition of a figure opens beside it and closes with Escape", async () => {
	const { page, goto, leave } = await service.read();
	await goto("/sites/shop?period=7d");
	await strip(page).getByRole("button", { name: "About “Bounce rate”" }).click();
	const drawer = page.getByRole("dialog", { name: "Bounce rate" });
	await drawer.getByText("(entrances - engaged_entrances) / entrances x 100").waitFor();
	await drawer.getByText("WHERE site = 'shop' AND date BETWEEN '2026-11-15' AND '2026-11-21'").waitFor();
	await page.keyboard.press("Escape");
	await drawer.waitFor({ state: "hidden" });
	await addressed(page, "panel", false);
	await leave();
});
