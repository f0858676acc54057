import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import type { Page } from "../../../server/test/support/browser.ts";
import { type DashboardService, openDashboard } from "../support/open-dashboard.ts";

interface Overview {
	readonly traffic: Readonly<Record<"entrances" | "visitors" | "bounce_rate", number>>;
	readonly conversions: Readonly<Record<"revenue" | "conversion_rate", number>>;
}

interface Funnel {
	readonly steps: readonly { readonly name: string; readonly count: number }[];
	readonly overall_conversion_rate: number;
}

let service: DashboardService;
before(async () => {
	service = await openDashboard();
});
after(() => service?.close());

const whole = new Intl.NumberFormat("en-GB");
const euros = new Intl.NumberFormat("en-GB", { style: "currency", currency: "EUR" });

/** Waits until the address says something. */
const addressed = (page: Page, part: string) =>
	page.waitForURL((url) => new URLSearchParams(url.search).toString().includes(new URLSearchParams(part).toString()));

/** The totals as the pivot writes them. */
const written = ({ traffic, conversions }: Overview): readonly string[] => [
	whole.format(traffic.entrances),
	whole.format(traffic.visitors),
	`${traffic.bounce_rate.toFixed(1)} %`,
	euros.format(conversions.revenue),
	`${conversions.conversion_rate.toFixed(1)} %`,
];

/** The cells below “All” in the row of totals, once the first of them is there. */
async function totals(page: Page, first: string): Promise<readonly string[]> {
	const row = page.getByRole("row", { name: /^All/ }).filter({ hasText: first });
	await row.waitFor();
	return (await row.getByRole("cell").allTextContents()).slice(-5);
}

const figures = ["entrances", "visitors", "bounce_rate", "revenue", "conversion_rate"].map((key) => `view=fig:${key}`);
const pivot = `/sites/shop/explore?period=7d&compare=none&view=row:utm_source&view=col:device_type&${figures.join("&")}`;

test("the totals of a pivot are those of the overview, with filters too", async () => {
	const { page, goto, api, leave } = await service.read();
	const all = written(await api<Overview>("/stats/overview?site_id=shop&period=7d"));
	await goto(pivot);
	assert.deepEqual(await totals(page, all[0] ?? ""), all);
	await page.getByRole("rowheader", { name: "google" }).getByRole("button").click();
	await addressed(page, "f=utm_source:eq:google");
	const google = written(await api<Overview>("/stats/overview?site_id=shop&period=7d&filters=utm_source:eq:google"));
	assert.notDeepEqual(google, all);
	assert.deepEqual(await totals(page, google[0] ?? ""), google);
	await leave();
});

test("dimensions are added, moved to the columns and taken away by keys alone", async () => {
	const { page, goto, leave } = await service.read();
	await goto("/sites/shop/explore?period=7d&view=row:utm_source&view=fig:entrances");
	const press = async (name: string) => {
		await page.getByRole("button", { name, exact: true }).focus();
		await page.keyboard.press("Enter");
	};
	await press("Add row dimension");
	await press("Country");
	await addressed(page, "view=row:country");
	await page.getByRole("columnheader", { name: "Source › Country" }).waitFor();
	await press("Country");
	await press("Move to columns");
	await addressed(page, "view=col:country");
	await page.getByRole("columnheader", { name: "Spain" }).waitFor();
	await press("Remove Source");
	await page.getByRole("columnheader", { name: "Source" }).waitFor({ state: "detached" });
	await leave();
});

test("the file of a pivot has its rows", async () => {
	const { page, goto, leave } = await service.read();
	await goto("/sites/shop/explore?period=7d&compare=none&view=row:device_type&view=fig:entrances");
	const first = page.getByRole("rowheader", { name: "Mobile" });
	await first.waitFor();
	const rows = await page
		.getByRole("row")
		.filter({ has: page.getByRole("rowheader") })
		.getByRole("cell")
		.allTextContents();
	const saved = page.waitForEvent("download");
	await page.getByRole("button", { name: "CSV" }).click();
	const lines = readFileSync(await (await saved).path(), "utf8")
		.trimEnd()
		.split("\r\n");
	assert.equal(lines[0], "device_type,entrances");
	assert.deepEqual(
		lines.slice(1).map((line) => whole.format(Number(line.split(",")[1]))),
		rows.slice(1),
	);
	await leave();
});

/** The API's answer for a funnel of this period. */
async function funnelOf(steps: readonly string[]): Promise<Funnel> {
	const answer = await service.app.inject({
		method: "POST",
		url: "/api/v1/stats/funnel?site_id=shop&period=30d",
		headers: service.ann.headers,
		payload: { steps },
	});
	assert.equal(answer.statusCode, 200, answer.body);
	return answer.json().data;
}

/** Waits until the drawing is of these steps, and compares its figures. */
async function drawn(page: Page, steps: readonly string[]): Promise<void> {
	const funnel = await funnelOf(steps);
	const items = page.getByRole("list", { name: "Visits by step" }).getByRole("listitem");
	for (const [at, step] of steps.entries()) await items.nth(at).getByText(step, { exact: true }).waitFor();
	const rate = `${funnel.overall_conversion_rate.toFixed(1)} %`;
	await page.getByText(`visits completed the funnel: ${rate}`).waitFor();
	assert.deepEqual(
		await items.locator("strong").allTextContents(),
		funnel.steps.map(({ count }) => whole.format(count)),
	);
}

test("a funnel is built by mouse and shows what the API answers", async () => {
	const { page, goto, leave } = await service.read();
	await goto("/sites/shop/funnels");
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
	await leave();
});

test("a funnel is built by keys, and its steps change places", async () => {
	const { page, goto, leave } = await service.read();
	await goto("/sites/shop/funnels?view=page:/&view=page:/shop*");
	await drawn(page, ["/", "/shop*"]);
	await page.getByRole("button", { name: "Add event" }).focus();
	await page.keyboard.press("Enter");
	await page.getByLabel("Step 3", { exact: true }).focus();
	await page.keyboard.type("add_to_cart");
	await page.keyboard.press("Enter");
	await drawn(page, ["/", "/shop*", "add_to_cart"]);
	await page.getByLabel("Step 3", { exact: true }).and(page.locator(":focus")).waitFor();
	await page.getByRole("button", { name: "Move step 2 up" }).focus();
	await page.keyboard.press("Enter");
	await addressed(page, "view=page:/shop*&view=page:/&view=event:add_to_cart");
	await drawn(page, ["/shop*", "/", "add_to_cart"]);
	await leave();
});
