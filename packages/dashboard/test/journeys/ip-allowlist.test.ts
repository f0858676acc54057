import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import type { Tables } from "../../../server/migrations/metadata/tables/index.ts";
import { axeFaults } from "../support/axe.ts";
import { geometryFaults } from "../support/geometry.ts";
import { type DashboardService, openDashboard, settled } from "../support/open-dashboard.ts";

/** An address that the list does not cover, to begin with. */
const outside = "192.0.2.99";

let service: DashboardService;
before(async () => {
	service = await openDashboard();
});
after(() => service?.close());

test("nobody shuts themselves out, and another address gets a page that says whom to ask", async () => {
	const { page, context, goto } = await service.read();
	await goto("/sites/shop/settings/access");
	await page.getByText("Your IP address is 127.0.0.1. Not listed").waitFor();
	const rule = page.getByLabel("Allow access from listed addresses only");
	await rule.click();
	await page.getByText("Add your own address before you enable the allowlist.").waitFor();
	assert.equal(await rule.isChecked(), false);
	await page.getByRole("button", { name: "Add my address" }).click();
	await page.getByText("Allowed by 127.0.0.1.").waitFor();
	await rule.click();
	await page.getByText("Allowlist enabled.").waitFor();
	assert.equal(await rule.isChecked(), true);
	const own = page.getByRole("listitem").filter({ hasText: "127.0.0.1" });
	await own.getByRole("button", { name: "Delete" }).click();
	await page.getByText("The address that you come from would be shut out").waitFor();

	const away = await service.read({ bypassCSP: true, width: 390 });
	await away.context.setExtraHTTPHeaders({ "X-Forwarded-For": outside });
	await away.goto("/sites");
	await away.page.getByText("This site is not accessible from your IP address:").waitFor();
	await away.goto("/sites/shop/goals");
	await away.page.getByRole("heading", { name: "Access from this IP address is not allowed" }).waitFor();
	await away.page.getByText(outside).waitFor();
	assert.deepEqual(await axeFaults(away.page), []);
	assert.deepEqual(await geometryFaults(away.page), []);
	// Open pages learn of the new list at the first refused request.
	await away.context.setExtraHTTPHeaders({});
	await away.page.getByRole("button", { name: "Try again" }).click();
	await away.page.getByRole("heading", { name: "Goals", exact: true }).first().waitFor();
	await settled(away.page);
	await away.context.setExtraHTTPHeaders({ "X-Forwarded-For": outside });
	// By keyboard, not by the link: any other request of the page is refused as well and removes the link.
	await away.page.keyboard.press("g");
	await away.page.keyboard.press("e");
	await away.page.getByRole("heading", { name: "Access from this IP address is not allowed" }).waitFor();

	await page.getByLabel("Address, range or regular expression").fill("192.0.2.0/24");
	await page.getByLabel("Name").fill("Train");
	await page.getByRole("button", { name: "Add", exact: true }).click();
	await page.getByText("192.0.2.0/24 added.").waitFor();
	await away.page.getByRole("button", { name: "Try again" }).click();
	await away.page.getByRole("navigation", { name: "Screens" }).waitFor();
	await goto("/sites/shop/settings/access");
	await page.getByLabel("Blocked only").check();
	await page
		.getByRole("row", { name: new RegExp(`blocked ${outside} ann@example.com session`) })
		.first()
		.waitFor();
	await away.context.close();
	await context.close();
});

test("many addresses are added as lines, tried, saved as a file and deleted together", async () => {
	const { page, goto, leave } = await service.read();
	await goto("/sites/empty/settings/access");
	await page.getByText("No addresses yet. Start with your own.").waitFor();
	await page.getByRole("button", { name: "Add several" }).click();
	const form = page.getByRole("dialog", { name: "Add several" });
	await form.getByLabel("Lines").fill("203.0.113.0/24 # Office\nno address\n2001:db8::1 # VPN");
	await form.getByRole("button", { name: "Add" }).click();
	await form.getByText(/^Line 2: /).waitFor();
	await form.getByRole("button", { name: "Close" }).last().click();
	const listed = page.getByRole("list", { name: "Allowed addresses" }).getByRole("listitem");
	assert.equal(await listed.count(), 2);

	await page.getByLabel("Address", { exact: true }).fill("203.0.113.77");
	await page.getByRole("button", { name: "Test" }).click();
	await page.getByText("203.0.113.77 is allowed by Office.").waitFor();
	const download = page.waitForEvent("download");
	await page.getByRole("button", { name: "Download" }).click();
	const text = readFileSync(await (await download).path(), "utf8");
	assert.deepEqual(text.trimEnd().split("\n").sort(), ["2001:db8::1 # VPN", "203.0.113.0/24 # Office"]);

	await listed.filter({ hasText: "2001:db8::1" }).getByRole("button", { name: "Delete" }).click();
	await page.getByText("2001:db8::1 deleted.").waitFor();
	await page.getByRole("button", { name: "Undo" }).click();
	await listed.filter({ hasText: "2001:db8::1" }).waitFor();
	await page.getByLabel("All", { exact: true }).check();
	await page.getByRole("button", { name: "Delete 2" }).click();
	await page.getByRole("dialog").getByRole("button", { name: "Delete 2" }).click();
	await page.getByText("No addresses yet. Start with your own.").waitFor();
	await leave();
});

test("what the plan lacks is said, and not offered", async () => {
	const { page, goto, leave } = await service.read();
	await service.app.metadata.withTables<Tables>().updateTable("organizations").set({ plan_tier: "free" }).execute();
	await goto("/sites/empty/settings/access");
	await page.getByText("This site's plan doesn't include the IP allowlist.").waitFor();
	assert.equal(await page.getByRole("button", { name: "Add several" }).count(), 0);
	assert.equal(await page.getByLabel("Allow access from listed addresses only").isDisabled(), true);
	await goto("/sites/empty/settings/webhooks");
	await page.getByText("This site's plan doesn't include webhooks.").waitFor();
	assert.equal(await page.getByRole("button", { name: "New endpoint" }).count(), 0);
	await leave();
});
