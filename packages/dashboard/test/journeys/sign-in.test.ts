import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ann, type DashboardService, openDashboard } from "../support/open-dashboard.ts";

let service: DashboardService;
before(async () => {
	service = await openDashboard();
});
after(() => service?.close());

test("whoever is not signed in comes back, after signing in, to where they wanted to be", async () => {
	const { page, goto, leave } = await service.read({ isStranger: true });
	await goto("/sites/shop?period=7d");
	await page.getByLabel("E-mail").fill(ann.email);
	await page.getByLabel("Password").fill(ann.password);
	await page.getByRole("button", { name: "Sign in" }).click();
	await page.waitForURL("**/sites/shop?period=7d");
	await page.getByRole("navigation", { name: "Screens" }).waitFor();
	assert.equal(new URL(page.url()).search, "?period=7d");
	await leave();
});
