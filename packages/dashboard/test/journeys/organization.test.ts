import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { mailbox } from "../../../server/test/support/mailbox.ts";
import { geometryFaults } from "../support/geometry.ts";
import { type DashboardService, openDashboard, type Reader, settled } from "../support/open-dashboard.ts";

const bea = { email: "bea@example.com", password: "a blue bicycle in the rain" };

let service: DashboardService;
let owner: Reader;
let member: Reader;
before(async () => {
	service = await openDashboard();
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
	await owner.goto("/organizations/ann");
	await owner.page.getByRole("button", { name: "Invite" }).click();
	await owner.page.getByLabel("Email", { exact: true }).fill(bea.email);
	await owner.page.getByRole("checkbox", { name: "Shop" }).check();
	await owner.page.getByRole("button", { name: "Send invitation" }).click();
	await owner.page.getByText(`Invitation sent to ${bea.email}.`).waitFor();
	const shown = await owner.page.getByText(/\/invitation\?token=/).textContent();
	assert.match(shown ?? "", /^http/);
	await owner.page.getByRole("button", { name: "Done" }).click();
	assert.equal(await owner.page.getByText(/\/invitation\?token=/).count(), 0);

	const links = (await mailbox(service.app).to(bea.email)).flatMap((mail) => mail.links);
	const link = new URL(links.findLast((one) => one.includes("/invitation?")) ?? assert.fail("no link"));
	member = await service.read({ isStranger: true });
	await member.page.goto(service.root + link.pathname + link.search);
	await member.page.getByLabel("Your name").fill("Bea");
	await member.page.getByLabel("New password").fill(bea.password);
	await member.page.getByRole("button", { name: "Create the account and accept" }).click();
	await member.page.waitForURL(`${service.root}/`);
	await member.goto("/sites/shop/goals");
	assert.equal(await member.page.getByRole("button", { name: "New goal" }).count(), 0);
	await member.goto("/sites/shop/settings/install");
	await member.page.getByRole("heading", { name: "Domains" }).waitFor();
	assert.equal(
		await member.page
			.getByRole("main")
			.getByRole("button", { name: /^(Add|Remove)/ })
			.count(),
		0,
	);
	await member.goto("/organizations/ann");
	await member.page.getByRole("heading", { name: "Members and access" }).waitFor();
	assert.equal(await member.page.getByRole("combobox").count(), 0);
	assert.equal(await member.page.getByRole("heading", { name: "Invitations" }).count(), 0);
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
	assert.deepEqual(
		[await dialog.getByLabel("Name").inputValue(), await dialog.getByLabel("Target").inputValue()],
		["300 orders", "300"],
	);
	// Undo in the toast.
	await owner.page.getByRole("button", { name: "Undo" }).last().click();
	await owner.page.getByText("Undone.").waitFor();
	await dialog.getByRole("button", { name: "Create goal" }).click();
	await member.page.getByText("“300 orders” created.").waitFor();
});

test("an admin's invitation that is refused is there again once the role is", async () => {
	await giveRole("Role of Bea", "Admin");
	await member.goto("/organizations/ann");
	await member.page.getByRole("button", { name: "Invite" }).click();
	await member.page.getByLabel("Email", { exact: true }).fill("carl@example.com");
	await giveRole("Role of Bea", "Member");
	await member.page.getByRole("button", { name: "Send invitation" }).click();
	await member.page.getByText("Required role: admin").waitFor();
	assert.equal(await member.page.getByLabel("Email", { exact: true }).inputValue(), "carl@example.com");
	await giveRole("Role of Bea", "Admin");
	await member.page.reload();
	await settled(member.page);
	await member.page.getByRole("button", { name: "Invite" }).click();
	assert.equal(await member.page.getByLabel("Email", { exact: true }).inputValue(), "carl@example.com");
	await member.page.getByRole("button", { name: "Send invitation" }).click();
	await member.page.getByText("Invitation sent to carl@example.com.").waitFor();
	await member.page.getByRole("button", { name: "Revoke invitation to carl@example.com" }).click();
	await member.page.getByText("Invitation revoked.").waitFor();
	// Refusals are errors on the console, so the window is closed without asking for a clean one.
	await member.context.close();
});

test("the matrix works by keys alone, and the name that has to be typed keeps the organization", async () => {
	const { page } = owner;
	await page.getByLabel("Role of Bea", { exact: true }).focus();
	await page.keyboard.type("Member");
	await page.getByLabel("Role of Bea on Shop").waitFor();
	await page.getByLabel("Role of Bea", { exact: true }).focus();
	for (let stop = 0; stop < 2; stop++) await page.keyboard.press("Tab");
	await page.keyboard.type("Viewer");
	await page.getByText("Role of Bea on Shop changed.").last().waitFor();
	const { sites } = await owner.api<{ sites: { id: string; role: string | null }[] }>(
		`/organizations/ann/members/${await idOfBea()}/sites`,
	);
	assert.equal(sites.find(({ id }) => id === "shop")?.role, "viewer");
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
	await owner.leave();
});

async function idOfBea(): Promise<number> {
	const { members } = await owner.api<{ members: { user_id: number; name: string }[] }>("/organizations/ann/members");
	return members.find(({ name }) => name === "Bea")?.user_id ?? assert.fail("Bea is no member");
}
