import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Session, signIn } from "../../../server/test/support/accounts.ts";
import { mailedLink, undo } from "../support/acts.ts";
import { geometryFaults } from "../support/geometry.ts";
import { type DashboardService, openDashboard, type Reader, settled } from "../support/open-dashboard.ts";

const bea = { email: "bea@example.com", password: "a blue bicycle in the rain" };
const root = "root@example.com";

let service: DashboardService;
let owner: Reader;
let member: Reader;
let cid: Session;
before(async () => {
	service = await openDashboard();
	await signIn(service.app, { email: root, name: "Root", role: "superadmin" });
	cid = await signIn(service.app, { email: "cid@example.com", name: "Cid" });
	owner = await service.read();
});
after(() => service?.close());

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

	member = await service.read({ isStranger: true });
	await member.page.goto(await mailedLink(service, bea.email, "/invitation"));
	await member.page.getByLabel("Your name").fill("Bea");
	await member.page.getByLabel("New password").fill(bea.password);
	await member.page.getByRole("button", { name: "Create the account and accept" }).click();
	await member.page.waitForURL(`${service.root}/`);
	await member.goto("/sites/shop/goals");
	assert.equal(await member.page.getByRole("button", { name: "New goal" }).count(), 0);
	await member.goto("/organizations/ann");
	await member.page.getByRole("heading", { name: "Members and access" }).waitFor();
	assert.equal(await member.page.getByRole("combobox").count(), 0);
	assert.equal(await member.page.getByRole("heading", { name: "Invitations" }).count(), 0);
});

test("an owner invites an address to a site with a role, copies the link, and revokes the invitation", async () => {
	const { page, goto } = owner;
	await goto("/sites/shop/settings/people");
	await page.getByRole("button", { name: "Invite" }).click();
	const dialog = page.getByRole("dialog", { name: "Invite" });
	await dialog.getByLabel("Email").fill("dan@example.com");
	await dialog.getByLabel("Role").selectOption("editor");
	await dialog.getByRole("button", { name: "Invite" }).click();
	await dialog.getByText("Invitation sent to dan@example.com.").waitFor();
	await dialog.getByText(/^http.*\/invitation\?token=/).waitFor();
	await dialog.getByRole("button", { name: "Done" }).click();
	const pending = page.getByRole("list", { name: "Pending invitations" });
	await pending.getByText("Editor").waitFor();
	await pending.getByRole("button", { name: /^Revoke.*dan@example.com$/ }).click();
	await page.getByText("Invitation revoked.").waitFor();
	await pending.waitFor({ state: "detached" });
	await goto("/organizations/ann");
});

test("an editor writes; a role that ends meanwhile is told, and what was typed stays", async () => {
	await owner.page.reload();
	await settled(owner.page);
	await giveRole("Role of Bea on Shop", "Editor");
	await member.goto("/sites/shop/goals");
	await member.page.getByRole("button", { name: "New goal" }).click();
	const dialog = member.page.getByRole("dialog");
	await dialog.getByLabel("Name").fill("300 orders");
	await dialog.getByLabel("Target").fill("300");
	await giveRole("Role of Bea on Shop", "None");
	await dialog.getByRole("button", { name: "Create goal" }).click();
	await dialog.getByText("Access denied to account: shop").waitFor();
	assert.equal(await dialog.getByLabel("Name").inputValue(), "300 orders");
	await owner.page.getByRole("button", { name: "Undo" }).last().click();
	await owner.page.getByText("Undone.").waitFor();
	await dialog.getByRole("button", { name: "Create goal" }).click();
	await member.page.getByText("“300 orders” created.").waitFor();
});

test("an admin's invitation that is refused is there again once the role is", async () => {
	const { page } = member;
	const invited = page.getByLabel("Email", { exact: true });
	await giveRole("Role of Bea", "Admin");
	await member.goto("/organizations/ann");
	await page.getByRole("button", { name: "Invite" }).click();
	await invited.fill("carl@example.com");
	await giveRole("Role of Bea", "Member");
	await page.getByRole("button", { name: "Send invitation" }).click();
	await page.getByText("Required role: admin").waitFor();
	assert.equal(await invited.inputValue(), "carl@example.com");
	await giveRole("Role of Bea", "Admin");
	await page.reload();
	await settled(page);
	await page.getByRole("button", { name: "Invite" }).click();
	assert.equal(await invited.inputValue(), "carl@example.com");
	await page.getByRole("button", { name: "Send invitation" }).click();
	await page.getByText("Invitation sent to carl@example.com.").waitFor();
	await page.getByRole("button", { name: "Revoke invitation to carl@example.com" }).click();
	await page.getByText("Invitation revoked.").waitFor();
	// Refusals are errors on the console, so the window is closed without asking for a clean one.
	await member.context.close();
});

test("the matrix works by keys alone, and the name that has to be typed keeps the organization", async () => {
	const { page, api, leave } = owner;
	await page.getByLabel("Role of Bea", { exact: true }).focus();
	await page.keyboard.type("Member");
	await page.getByLabel("Role of Bea on Shop").waitFor();
	await page.getByLabel("Role of Bea", { exact: true }).focus();
	for (let stop = 0; stop < 2; stop++) await page.keyboard.press("Tab");
	await page.keyboard.type("Viewer");
	await page.getByText("Role of Bea on Shop changed.").last().waitFor();
	const { users } = await api<{ users: { name: string; role: string }[] }>("/sites/shop/users");
	assert.equal(users.find(({ name }) => name === "Bea")?.role, "viewer");
	await page.getByRole("button", { name: "Invite" }).click();
	for (const width of [1440, 768, 390, 320]) {
		await page.setViewportSize({ width, height: 900 });
		assert.deepEqual(await geometryFaults(page), [], `${width} px`);
	}
	await page.getByRole("button", { name: "Delete", exact: true }).click();
	const confirm = page.getByRole("dialog").getByRole("button", { name: "Delete organization" });
	await page.getByLabel("Type “Ann” to confirm").fill("An");
	assert.equal(await confirm.isDisabled(), true);
	await page.keyboard.press("Escape");
	await leave();
});

test("a superadmin finds the way to the administration, where a user is searched, shut out, let in again, and deleted by typing the address", async () => {
	const other = await service.read();
	await other.goto("/sites");
	await other.page.getByRole("button", { name: "Account: Ann" }).click();
	await other.page.getByRole("button", { name: "Sign out" }).waitFor();
	assert.equal(await other.page.getByRole("link", { name: "Administration" }).count(), 0);
	await other.goto("/admin/system");
	await other.page.getByRole("heading", { name: "Access denied" }).waitFor();
	await other.leave();
	const { page, goto, leave } = await service.read({ as: root });
	await goto("/sites");
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
	assert.equal(await remove.isDisabled(), true);
	await page.getByLabel("Type “cid@example.com” to confirm").fill("cid@example.com");
	await remove.click();
	await page.getByText("No results for “CID”.").waitFor();
	await leave();
});

test("acting as a user needs a reason, shows a banner, is refused what is closed, and leads back", async () => {
	const { page, context, goto, load, leave } = await service.read({ as: root });
	await goto("/admin/users?q=ann");
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
	await goto("/admin/audit?view=what:user.impersonation_started");
	await page.getByRole("listitem").filter({ hasText: "Root started impersonating a user" }).waitFor();
	await page.getByText("Ann asked why the shop is empty").waitFor();
	await leave();
});
