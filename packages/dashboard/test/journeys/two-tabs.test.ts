import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type DashboardService, openDashboard, settled } from "../support/open-dashboard.ts";

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
