import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type DashboardService, openDashboard, settled } from "../support/open-dashboard.ts";

let service: DashboardService;
before(async () => {
	service = await openDashboard();
});
after(() => service?.close());

test("by keys alone: search a screen, go to another, see which keys there are", async () => {
	const { page, goto, leave } = await service.read();
	await goto("/sites/shop?period=7d");
	await page.keyboard.press("Control+k");
	await page.getByRole("combobox", { name: "Site, screen or period" }).fill("live");
	await page.keyboard.press("Enter");
	await page.waitForURL("**/sites/shop/live?period=7d");
	await page.waitForFunction(() => document.title === "Live · Shop – Footfall");
	await page.waitForFunction(() => document.activeElement?.closest("main") instanceof Element);
	await page.keyboard.press("g");
	await page.keyboard.press("r");
	await page.waitForURL("**/sites/shop?period=7d");
	await page.keyboard.press("?");
	await page.getByRole("dialog", { name: "Keys" }).getByRole("row", { name: "G then L Live" }).waitFor();
	await page.keyboard.press("Escape");
	await page.getByRole("dialog").waitFor({ state: "detached" });
	await leave();
});

test("appearance and language are chosen once: they stay, and come along to another browser", async () => {
	const { page, goto, leave } = await service.read();
	await goto("/sites");
	await page.getByRole("button", { name: /^Account/ }).click();
	await page.getByRole("radio", { name: "Dark" }).check();
	await page.getByLabel("Language").selectOption("es");
	await page.getByRole("heading", { name: "Sitios" }).waitFor();
	assert.equal(await page.locator("html").getAttribute("data-theme"), "dark");
	await leave();

	const elsewhere = await service.read({ isStranger: true });
	await elsewhere.goto("/sites");
	await elsewhere.page.getByLabel("E-mail").fill("ann@example.com");
	await elsewhere.page.getByLabel("Password").fill("correct horse battery staple 7");
	await elsewhere.page.getByRole("button", { name: "Sign in" }).click();
	await elsewhere.page.getByRole("heading", { name: "Sitios" }).waitFor();
	assert.equal(await elsewhere.page.locator("html").getAttribute("data-theme"), "dark");
	await elsewhere.leave();
});

test("two tabs that watch a site share one stream; when its tab goes, the other takes over", async () => {
	const { page, context, goto } = await service.read();
	const streams: string[] = [];
	context.on("request", (request) => {
		if (request.url().includes("/stats/live/stream")) streams.push(request.url());
	});
	await goto("/sites/shop/live");
	await page.getByText("Connected: hits are here within 2 s", { exact: true }).first().waitFor();
	const other = await context.newPage();
	await other.goto(`${service.root}/sites/shop/live`);
	await settled(other);
	await other.getByText("Connected: hits are here within 2 s", { exact: true }).first().waitFor();
	assert.equal(streams.length, 1);
	const takenOver = context.waitForEvent("request", (request) => request.url().includes("/stats/live/stream"));
	await page.close();
	await takenOver;
	assert.equal(streams.length, 2);
	await context.close();
});

test("who signs out in one tab has signed out in all", async () => {
	const { page, context, goto } = await service.read();
	await goto("/sites");
	const other = await context.newPage();
	await other.goto(`${service.root}/sites`);
	await settled(other);
	await page.getByRole("button", { name: /^Account|^Cuenta/ }).click();
	await page.getByRole("button", { name: /Sign out|Salir/ }).click();
	await Promise.all([page, other].map((tab) => tab.waitForURL("**/sign-in")));
	await context.close();
});

test("a lost connection is told; when it is back the banner goes and figures are asked for anew", async () => {
	const { page, context, goto } = await service.read();
	await goto("/sites");
	// The banners come after the first figures.
	await page.waitForResponse((response) => response.url().endsWith("/auth/impersonation-status"));
	await context.setOffline(true);
	await page.getByText("You are offline.").waitFor();
	await context.setOffline(false);
	await page.getByText("You are offline.").waitFor({ state: "detached" });
	await page.route("**/api/v1/**", (route) => route.abort());
	await page.getByRole("link", { name: "Install" }).click();
	await page.getByText("The server does not answer.").first().waitFor();
	await page.unroute("**/api/v1/**");
	await page.getByText("The server does not answer.").first().waitFor({ state: "detached" });
	await context.close();
});
