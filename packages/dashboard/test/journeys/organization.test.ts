import assert from "node:assert/strict";
import { test } from "node:test";
import { tables } from "../../../server/migrations/metadata/tables/index.ts";
import { type Session, signIn } from "../../../server/test/support/accounts.ts";
import { fill, mailedLink, undo, whole } from "../support/acts.ts";
import { fits } from "../support/geometry.ts";
import { type Reader, settled, sharedDashboard } from "../support/open-dashboard.ts";

const bea = { email: "bea@example.com", password: "a blue bicycle in the rain" };
const root = "root@example.com";

let owner: Reader;
let member: Reader;
let cid: Session;
const service = sharedDashboard(undefined, async ({ app, enter }) => {
	await signIn(app, { email: root, name: "Root", role: "superadmin" });
	cid = await signIn(app, { email: "cid@example.com", name: "Cid" });
	owner = await enter();
});

/** Chooses a role of somebody in the table of people and sites, and waits until it holds. */
async function giveRole(of: string, role: string): Promise<void> {
	const { page } = owner;
	await page.getByLabel(of, { exact: true }).selectOption({ label: role });
	await page
		.getByText(/^Role of Bea/)
		.last()
		.waitFor();
}

test("somebody is invited, accepts by the mail in another browser, and sees the one site, without anything to write", async () => {
	const { page, goto } = owner;
	await goto("/organizations/ann");
	await page.getByRole("button", { name: "Invite" }).click();
	await page.getByLabel("Email", { exact: true }).fill(bea.email);
	await page.getByRole("checkbox", { name: "Shop" }).check();
	await page.getByRole("button", { name: "Send invitation" }).click();
	await page.getByText(`Invitation sent to ${bea.email}.`).waitFor();
	await page.getByText(/^http.*\/invitation\?token=/).waitFor();
	await page.getByRole("button", { name: "Done" }).click();
	assert.equal(await page.getByText(/\/invitation\?token=/).count(), 0);

	member = await service.enter({ isStranger: true, meetsErrors: true });
	await member.page.goto(await mailedLink(service, bea.email, "/invitation"));
	await fill(member.page, { "Your name": "Bea", "New password": bea.password });
	await member.page.getByRole("button", { name: "Create the account and accept" }).click();
	await member.page.waitForURL(`${service.root}/`);
	await member.goto("/sites/shop/goals");
	assert.equal(await member.page.getByRole("button", { name: "New goal" }).count(), 0);
	await member.goto("/organizations/ann");
	await member.page.getByRole("heading", { name: "Members and access" }).waitFor();
	assert.equal(await member.page.getByRole("combobox").count(), 0);
	assert.equal(await member.page.getByRole("heading", { name: "Invitations" }).count(), 0);
});

test("an editor writes; a role that ends meanwhile is told, and what was typed stays", async () => {
	await owner.goto("/organizations/ann");
	await giveRole("Role of Bea on Shop", "Editor");
	// The last request of the screen: refused, it would close the screen of a site that is gone.
	const warnings = member.page.waitForResponse((response) => response.url().includes("/api/v1/warnings"));
	await member.goto("/sites/shop/goals");
	await warnings;
	await member.page.getByRole("button", { name: "New goal" }).click();
	const dialog = member.page.getByRole("dialog");
	await fill(dialog, { Name: "300 orders", Target: "300" });
	await giveRole("Role of Bea on Shop", "None");
	await dialog.getByRole("button", { name: "Create goal" }).click();
	await dialog.getByText("Access denied to account: shop").waitFor();
	assert.equal(await dialog.getByLabel("Name").inputValue(), "300 orders");
	await owner.page.getByRole("button", { name: "Undo" }).last().click();
	await owner.page.getByText("Undone.").waitFor();
	await dialog.getByRole("button", { name: "Create goal" }).click();
	await member.page.getByText("“300 orders” created.").waitFor();
	await member.leave();
});

test("the matrix works by keys alone, and the name that has to be typed keeps the organization", async () => {
	const { page, api, leave } = owner;
	await page.getByLabel("Role of Bea", { exact: true }).focus();
	await page.keyboard.type("Admin");
	// An admin reaches every site.
	await page.getByLabel("Role of Bea on Shop").waitFor({ state: "detached" });
	await page.getByLabel("Role of Bea", { exact: true }).focus();
	await page.keyboard.type("Member");
	await page.getByLabel("Role of Bea on Shop").waitFor();
	await page.getByLabel("Role of Bea", { exact: true }).focus();
	for (let stop = 0; stop < 2; stop++) await page.keyboard.press("Tab");
	await page.keyboard.type("Viewer");
	await page.getByText("Role of Bea on Shop changed.").last().waitFor();
	const { users } = await api("GET /sites/{id}/users", "/sites/shop/users");
	assert.equal(users.find(({ name }) => name === "Bea")?.role, "viewer");
	await page.getByRole("button", { name: "Invite" }).click();
	await fits(page, [1440, 768, 390, 320]);
	await page.getByRole("button", { name: "Delete", exact: true }).click();
	const confirm = page.getByRole("dialog").getByRole("button", { name: "Delete organization" });
	await page.getByLabel("Type “Ann” to confirm").fill("An");
	assert.equal(await confirm.isDisabled(), true);
	await page.keyboard.press("Escape");
	await leave();
});

test("a superadmin finds the way to the administration, where a user is searched, shut out, let in again, and deleted by typing the address", async (t) => {
	const other = await service.read(t);
	await other.goto("/sites");
	await other.page.getByRole("button", { name: "Account: Ann" }).click();
	await other.page.getByRole("button", { name: "Sign out" }).waitFor();
	assert.equal(await other.page.getByRole("link", { name: "Administration" }).count(), 0);
	await other.goto("/admin/system");
	await other.page.getByRole("heading", { name: "Access denied" }).waitFor();
	const { page } = await service.open(t, "/sites", { as: root });
	await page.getByRole("button", { name: "Account: Root" }).click();
	await page.getByRole("link", { name: "Administration" }).click();
	await page.getByRole("searchbox", { name: "Name or email" }).fill("CID");
	await page.waitForFunction(() => document.querySelectorAll("main ul[aria-label='Users'] > li").length === 1);
	assert.match(page.url(), /q=CID/);
	const more = page.getByRole("button", { name: "More actions for Cid" });
	await more.focus();
	await page.keyboard.press("Enter");
	await page.getByRole("button", { name: "Suspend" }).click();
	await page.getByText("Cid suspended.").waitFor();
	const asCid = { url: "/api/v1/users/me", headers: cid.headers };
	assert.equal((await service.app.inject(asCid)).statusCode, 401);
	await undo(page, "Cid suspended.", "/users");
	await more.click();
	await page.getByRole("button", { name: "Delete permanently" }).click();
	const remove = page.getByRole("button", { name: "Delete user" });
	await page.getByLabel("Type “cid@example.com” to confirm").fill("cid@example.com");
	await remove.click();
	await page.getByText("No results for “CID”.").waitFor();
});

test("acting as a user needs a reason, shows a banner, is refused what is closed, and leads back", async (t) => {
	const { page, context, load } = await service.open(t, "/admin/users?q=ann", { as: root });
	await page.getByRole("button", { name: "Impersonate Ann" }).click();
	const act = page.getByRole("dialog").getByRole("button", { name: "Impersonate Ann" });
	await act.click();
	await page.getByLabel("Reason").and(page.locator(":focus:invalid")).fill("Ann asked why the shop is empty");
	await act.click();
	await page.getByText("Impersonating ann@example.com").waitFor();
	await page.getByText(/until 14:00 at the latest/).waitFor();
	await settled(page);
	assert.equal((await context.request.delete(`${service.root}/api/v1/sites/shop`)).status(), 403);
	await load("/admin/users");
	await page.getByRole("heading", { name: "Access denied" }).waitFor();
	await page.getByRole("button", { name: "Stop" }).click();
	await page.waitForURL("**/sites");
	await settled(page);
	assert.equal(await page.getByText("Impersonating ann@example.com").count(), 0);
});

test("owners see the usage of their plan, and on the report at 80 and 100 percent; who runs the service changes the plan", async (t) => {
	const billing = "/organizations/ann/billing";
	/** Puts Ann's organization on a plan, as whoever runs the service does. */
	const put = (plan_tier: "free" | "growth") =>
		tables(service.app.metadata).updateTable("organizations").set({ plan_tier }).where("slug", "=", "ann").execute();
	/** Stores page views of this month, beside what the shop has. */
	const store = (views: number) =>
		service.app.eventStore.command(
			`INSERT INTO events (site, date, ts, kind, page_view) VALUES ('shop', '2026-11-02', '2026-11-02 00:00:00', 'pageview', ${views})`,
		);
	await store(4_200_000);
	const { page, goto, load, api } = await service.open(t, "/organizations/ann");
	await page.getByRole("heading", { name: "Members and access" }).waitFor();
	// Without limits there is no plan.
	for (const role of ["heading", "link"] as const)
		assert.equal(await page.getByRole(role, { name: /plan|billing|usage/i }).count(), 0);
	await put("growth");
	await load("/organizations/ann");
	await page.getByRole("link", { name: "Usage" }).click();
	await page.waitForURL(`**${billing}`);
	const usage = await api("GET /billing/usage/current");
	const events = page.getByRole("region", { name: "Events", exact: true });
	for (const text of [
		whole.format(usage.human_events),
		`${Math.round(usage.percentage)} % of 5,000,000, November 2026`,
		"10 days left.",
		`${whole.format(usage.agent_events)} bot events`,
		"Near limit",
	])
		await events.getByText(text, { exact: false }).first().waitFor();
	const plan = page.getByRole("region", { name: "Plan", exact: true });
	await plan.getByText("The operator of this service sets the plan", { exact: false }).waitFor();
	assert.equal(await plan.getByRole("link", { name: "Set plan" }).count(), 0);
	for (const name of ["Plans", "Invoices"]) assert.equal(await page.getByRole("region", { name }).count(), 0);
	assert.equal(await page.getByText("€").count(), 0);

	const banner = page.getByRole("status").filter({ hasText: "Your organization" });
	await goto("/sites/shop");
	await banner.getByText(/has used 8\d % of its events/).waitFor();
	await banner.getByText("a second unforgiven month in a row upgrades you to Scale", { exact: false }).waitFor();
	await banner.getByRole("link", { name: "View usage" }).waitFor();
	await banner.getByRole("button", { name: "Hide" }).click();
	await banner.waitFor({ state: "detached" });
	await page.evaluate(() => sessionStorage.clear());
	await store(1_000_000);
	await goto("/sites/shop");
	await banner.getByText("has used all events of its plan", { exact: false }).waitFor();
	await put("free");
	await load("/sites/shop?lang=es");
	await banner.getByText("At the limit, tracking stops on all sites.", { exact: false }).waitFor();

	const boss = await service.read(t, { as: root });
	await boss.goto("/sites/shop");
	await boss.page.clock.runFor(3_000);
	assert.equal(await boss.page.getByText("has used all events").count(), 0);
	await boss.goto(billing);
	await boss.page.getByText("Stopped", { exact: true }).waitFor();
	await boss.page.getByRole("link", { name: "Set plan" }).click();
	const tier = boss.page.getByRole("combobox", { name: "Plan of Ann" });
	await tier.selectOption("scale");
	await undo(boss.page, "Ann is now on the Scale plan.", "/organizations");
	assert.equal(await tier.inputValue(), "free");
});
