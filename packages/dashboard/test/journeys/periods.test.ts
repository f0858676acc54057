import assert from "node:assert/strict";
import { test } from "node:test";
import { createSite } from "../../../server/test/support/accounts.ts";
import type { Page } from "../../../server/test/support/browser.ts";
import { addressed, tabTo, whole } from "../support/acts.ts";
import { sharedDashboard } from "../support/open-dashboard.ts";

const service = sharedDashboard();

test("periods are chosen, stepped through and compared by keys alone; days of one's own are refused when turned around", async (t) => {
	const { page } = await service.open(t, "/sites/shop");
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
	const choose = async (from: string, to: string) => {
		await page.getByLabel("From", { exact: true }).fill(from);
		await page.getByLabel("To", { exact: true }).fill(to);
		await page.getByRole("button", { name: "Apply" }).click();
	};
	await page.getByRole("button", { name: /^Period: / }).click();
	await choose("2026-11-10", "2026-11-01");
	await page.getByText("The end date is before the start date.").waitFor();
	await choose("2026-10-01", "2026-10-03");
	await addressed(page, "from=2026-10-01&to=2026-10-03");
	await days("Custom range 1 – 3 Oct");
});

const period = (page: Page) => page.getByRole("button", { name: /^(Period|Periodo): / });
const dayOf = (page: Page, name: string) => page.getByRole("gridcell").getByRole("button", { name, exact: true });

test("all time is from the first data to today, without a comparison until another period follows; no data and more than 730 days say so", async (t) => {
	const { page, goto, api } = await service.open(t, "/sites/shop?period=7d");
	const allTime = (name: string) => page.getByRole("button", { name, exact: true });
	await period(page).click();
	await allTime("All time data since 23 Sept").click();
	await page.waitForURL((url) => url.search === "?period=all&from=2026-09-23&compare=none");
	const { traffic } = await api("GET /stats/overview", "?site_id=shop&start_date=2026-09-23&end_date=2026-11-21");
	const visits = new RegExp(`^Visits\\s*${whole.format(traffic.entrances)}`);
	await page.getByRole("region", { name: "Key metrics" }).getByRole("button", { name: visits }).waitFor();
	await page.getByRole("button", { name: "Period: All time 23 Sept – 21 Nov" }).waitFor();
	assert.ok(await page.getByRole("button", { name: "Earlier" }).isDisabled());
	await page.reload();
	await page.getByRole("button", { name: "Period: All time 23 Sept – 21 Nov" }).waitFor();
	await page.keyboard.press("w");
	await page.waitForURL((url) => url.search === "?period=7d");

	const unused = await createSite(service.app, service.ann, { name: "Unused" });
	await goto(`/sites/${unused}`);
	await period(page).click();
	assert.ok(await allTime("All time no data yet").isDisabled());
	await page.keyboard.press("Escape");
	const site = await createSite(service.app, service.ann, { name: "Old" });
	await service.app.eventStore.command(
		`INSERT INTO events (site, date, hour, ts, session, kind, path, page_view) VALUES ('${site}', '2023-02-03', 9, '2023-02-03 08:00:00', 1, 'pageview', '/', 1)`,
	);
	await goto(`/sites/${site}?period=7d`);
	await period(page).click();
	await allTime("Last 730 days data since 3 Feb 2023").click();
	await page.waitForURL((url) => url.search === "?from=2024-11-22&to=2026-11-21");
	// A saved address of all time that has grown too long.
	await goto(`/sites/${site}?period=all&from=2023-02-03&compare=none`);
	await page.getByRole("button", { name: "Period: All time 23 Nov 2024 – 21 Nov 2026" }).waitFor();
});

test("two days are chosen in the calendar by mouse and by keys, never before the first data nor after today", async (t) => {
	const { page } = await service.open(t, "/sites/shop?period=7d");
	await period(page).click();
	await page.getByRole("grid", { name: "November 2026" }).waitFor();
	assert.ok(await dayOf(page, "Sun, 22 Nov 2026").isDisabled());
	assert.ok(await page.getByRole("button", { name: "Next month" }).isDisabled());
	assert.equal(await page.getByRole("gridcell", { selected: true }).count(), 7);
	await page.getByRole("button", { name: "Previous month" }).click();
	await dayOf(page, "Sat, 10 Oct 2026").click();
	await page.getByText("Choose the other end of the range.").waitFor();
	await dayOf(page, "Thu, 8 Oct 2026").click();
	assert.equal(await page.getByLabel("From", { exact: true }).inputValue(), "2026-10-08");
	await page.getByRole("button", { name: "Apply" }).click();
	await page.waitForURL((url) => url.search === "?from=2026-10-08&to=2026-10-10");

	await period(page).click();
	const reached = (name: string) => dayOf(page, name).and(page.locator(":focus")).waitFor();
	await dayOf(page, "Sat, 10 Oct 2026").focus();
	for (const [key, name] of [
		["ArrowLeft", "Fri, 9 Oct 2026"],
		["ArrowDown", "Fri, 16 Oct 2026"],
		["Home", "Mon, 12 Oct 2026"],
		["End", "Sun, 18 Oct 2026"],
		["PageUp", "Wed, 23 Sept 2026"],
		["ArrowUp", "Wed, 23 Sept 2026"],
		["PageDown", "Fri, 23 Oct 2026"],
		["Shift+PageDown", "Sat, 21 Nov 2026"],
		["ArrowRight", "Sat, 21 Nov 2026"],
		["ArrowUp", "Sat, 14 Nov 2026"],
	] as const) {
		await page.keyboard.press(key);
		await reached(name);
	}
	assert.ok(await page.getByRole("button", { name: "Next month" }).isDisabled());
	await page.keyboard.press("Enter");
	await page.keyboard.press("ArrowRight");
	await page.keyboard.press("Space");
	await tabTo(page, "Apply");
	await page.keyboard.press("Enter");
	await page.waitForURL((url) => url.search === "?from=2026-11-14&to=2026-11-15");
});

test("by touch and in Spanish: months, weekdays and the days between two taps, in the reader's week", async (t) => {
	const preferences = (week_start: "sunday" | "monday") => service.send("PATCH /users/me/preferences", { week_start });
	await preferences("sunday");
	t.after(() => preferences("monday"));
	const phone = { width: 390, height: 844, hasTouch: true, language: "es" } as const;
	const { page } = await service.open(t, "/sites/shop?period=7d", phone);
	await period(page).tap();
	const grid = page.getByRole("grid", { name: "noviembre de 2026" });
	const heads = grid.getByRole("columnheader");
	await heads.nth(6).waitFor();
	assert.deepEqual(await heads.allTextContents(), ["dom", "lun", "mar", "mié", "jue", "vie", "sáb"]);
	await dayOf(page, "lun, 2 nov 2026").tap();
	await dayOf(page, "vie, 6 nov 2026").tap();
	assert.equal(await grid.getByRole("gridcell", { selected: true }).count(), 5);
	await page.getByRole("button", { name: "Aplicar" }).tap();
	await page.waitForURL((url) => url.search === "?from=2026-11-02&to=2026-11-06");
});
