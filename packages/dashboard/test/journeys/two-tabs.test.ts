import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ann, type DashboardService, openDashboard, settled } from "../support/open-dashboard.ts";

let service: DashboardService;
before(async () => {
	service = await openDashboard();
});
after(() => service?.close());

test("two tabs whose access has run out renew the session once, and both go on", async () => {
	const { page: one, context, goto } = await service.read({ realClock: true });
	await goto("/sites");
	const other = await context.newPage();
	await other.goto(`${service.root}/sites`);
	await settled(other);
	let renewals = 0;
	context.on("request", (request) => {
		if (request.url().endsWith("/api/v1/auth/refresh")) renewals += 1;
	});
	service.app.clock.advance(16 * 60_000);
	const tabs = [one, other];
	const kept = tabs.map((tab) => tab.waitForResponse((answer) => answer.request().method() === "PATCH" && answer.ok()));
	await Promise.all(tabs.map((tab) => tab.getByRole("button", { name: "Keep Shop on top" }).click()));
	await Promise.all(kept);
	await Promise.all(tabs.map((tab) => tab.getByRole("link", { name: "Shop" }).click()));
	await Promise.all(tabs.map((tab) => tab.getByRole("navigation", { name: "Screens" }).waitFor()));
	await Promise.all(tabs.map((tab) => settled(tab)));
	assert.equal(renewals, 1);
	assert.deepEqual(
		tabs.map((tab) => new URL(tab.url()).pathname),
		["/sites/shop", "/sites/shop"],
	);
	await context.close();
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

test("without HTTPS, where browsers know no locks, each tab has a stream and a session of its own", async () => {
	const { page, context } = await service.read({ isStranger: true });
	// A name that leads here, but that the browser does not take for this machine.
	const plain = `http://stats.test:${new URL(service.root).port}`;
	await page.goto(`${plain}/sites/shop/live`);
	await page.getByLabel("E-mail").fill(ann.email);
	await page.getByLabel("Password").fill(ann.password);
	await page.getByRole("button", { name: "Sign in" }).click();
	await page.getByText("Connected: hits are here within 2 s", { exact: true }).first().waitFor();
	assert.equal(await page.evaluate(() => isSecureContext), false);
	service.app.clock.advance(16 * 60_000);
	await page.getByRole("link", { name: "Report" }).click();
	await page
		.getByRole("button", { name: /^Visits/ })
		.first()
		.waitFor();
	await context.close();
});
