import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { geometryFaults } from "../support/geometry.ts";
import { type DashboardService, openDashboard, settled } from "../support/open-dashboard.ts";

const report = "/sites/shop?metric2=revenue&f=utm_source:eq:google";

let service: DashboardService;
before(async () => {
	service = await openDashboard();
});
after(() => service?.close());

const widths = [1440, 390];

test("from right to left nothing overflows, overlaps or is cut", async () => {
	const { page, goto, leave } = await service.read();
	await goto(report);
	await page.evaluate(() => {
		document.documentElement.dir = "rtl";
	});
	for (const width of widths) {
		await page.setViewportSize({ width, height: 900 });
		await settled(page);
		assert.deepEqual(await geometryFaults(page), [], `${width} px`);
	}
	await leave();
});

test("with the reader's own colours nothing moves, and what is chosen can still be told", async () => {
	const { page, goto, leave } = await service.read();
	await page.emulateMedia({ forcedColors: "active" });
	await goto(report);
	for (const width of widths) {
		await page.setViewportSize({ width, height: 900 });
		await settled(page);
		assert.deepEqual(await geometryFaults(page), [], `${width} px`);
	}
	const frameOf = (selected: boolean) =>
		page
			.getByRole("tab", { selected })
			.first()
			.evaluate((tab) => getComputedStyle(tab).outlineStyle);
	assert.deepEqual([await frameOf(true), await frameOf(false)], ["solid", "none"]);
	await leave();
});

test("texts of twice the size have room, on a desk and on a phone", async () => {
	const { page, context, goto, leave } = await service.read();
	const session = await context.newCDPSession(page);
	await session.send("Page.setFontSizes", { fontSizes: { standard: 32 } });
	await goto(report);
	for (const width of widths) {
		await page.setViewportSize({ width, height: 900 });
		await settled(page);
		assert.deepEqual(await geometryFaults(page), [], `${width} px`);
	}
	await leave();
});
