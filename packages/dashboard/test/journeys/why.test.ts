import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type DashboardService, openDashboard } from "../support/open-dashboard.ts";

let service: DashboardService;
before(async () => {
	service = await openDashboard();
});
after(() => service?.close());

test("a cause below the chart filters by a click, and the causes are told anew under the filter", async () => {
	const { page, goto, leave } = await service.read();
	await goto("/sites/shop?period=7d");
	const line = page.getByRole("region", { name: "What moved the figure" });
	const chip = line.getByRole("button").first();
	await chip.waitFor();
	await chip.click();
	await page.waitForURL((url) => url.searchParams.has("f"));
	await line.getByText(/of what moved\.|Everything moved alike\./).waitFor();
	await line.getByRole("link", { name: "All causes" }).click();
	await page.waitForURL((url) => url.pathname === "/sites/shop/why" && url.searchParams.has("f"));
	await page.getByRole("heading", { name: "Why?", level: 1 }).waitFor();
	await leave();
});

test("changes of all values of a dimension add up to the change of the figure", async () => {
	const { page, goto, leave } = await service.read();
	await goto("/sites/shop/why?period=7d&metric=page_views");
	const total = page.locator("p", { has: page.locator("strong", { hasText: "Page views:" }) }).locator("b");
	const whole = Number((await total.textContent())?.replaceAll(/[+,]/g, ""));
	const changes = await page
		.getByRole("region", { name: "Device" })
		.getByTitle(/before/)
		.allTextContents();
	assert.ok(changes.length > 1);
	assert.equal(
		changes.reduce((sum, text) => sum + Number(text.replaceAll(/[+,]/g, "")), 0),
		whole,
	);
	await leave();
});

test("without a comparison the screen offers one", async () => {
	const { page, goto, leave } = await service.read();
	await goto("/sites/shop/why?period=7d&compare=none");
	await page.getByRole("button", { name: "Compare with the days before" }).click();
	await page.getByRole("region", { name: "Source" }).waitFor();
	assert.equal(new URL(page.url()).search, "?period=7d");
	await leave();
});
