import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page } from "../../../server/test/support/browser.ts";
import { mailbox } from "../../../server/test/support/mailbox.ts";
import { axeFaults } from "../support/axe.ts";
import { geometryFaults } from "../support/geometry.ts";
import { ann, type DashboardService, openDashboard } from "../support/open-dashboard.ts";

let service: DashboardService;
before(async () => {
	service = await openDashboard({ REGISTRATION: "open" });
});
after(() => service?.close());

const cleo = { email: "cleo@example.com", password: "a blue bicycle in the rain" };
const dora = { ...cleo, email: "dora@example.com" };

/** The address on this service of the newest link to a page in the mails to somebody. */
async function linkTo(address: string, path: string): Promise<string> {
	const links = (await mailbox(service.app).to(address)).flatMap((mail) => mail.links);
	const link = links.flatMap((text) => URL.parse(text) ?? []).findLast(({ pathname }) => pathname === path);
	assert.ok(link, `no link to ${path}`);
	return service.root + link.pathname + link.search;
}

async function signIn(page: Page, { email, password }: typeof cleo) {
	await page.getByLabel("Email").fill(email);
	await page.getByLabel("Password").fill(password);
	await page.getByRole("button", { name: "Sign in" }).click();
}

test("a new account: the rules are told while one types, and the mail leads in", async () => {
	const { page, goto, leave } = await service.read({ isStranger: true, bypassCSP: true, width: 390 });
	await goto("/sign-in");
	await page.getByRole("link", { name: "Create an account" }).click();
	await page.getByLabel("Your name").fill("Cleo");
	await page.getByLabel("Email").fill(cleo.email);
	await page.getByLabel("Password").fill("cleo is short");
	await page.getByText("does not contain your email address (not met)").waitFor();
	assert.deepEqual(await axeFaults(page), []);
	assert.deepEqual(await geometryFaults(page), []);
	await page.getByLabel("Password").fill(cleo.password);
	await page.getByText("does not contain your email address (met)").waitFor();
	await page.getByLabel("I accept the terms").check();
	await page.getByRole("button", { name: "Create an account" }).click();
	await page.getByText("We sent an email to cleo@example.com.").waitFor();
	await leave();
});

test("whoever has not confirmed the address gets the mail again, and then comes in", async () => {
	const payload = { ...dora, name: "Dora", accept_terms: true };
	const registered = await service.app.inject({ method: "POST", url: "/api/v1/auth/register", payload });
	assert.equal(registered.statusCode, 200, registered.body);
	const { page, context, goto } = await service.read({ isStranger: true });
	await goto("/sites/new");
	await signIn(page, dora);
	await page.getByText("Your email address is not confirmed yet.").waitFor();
	assert.equal(await page.getByLabel("Email").inputValue(), dora.email);
	await page.getByRole("button", { name: "Resend email" }).click();
	await page.getByText("we've sent a new link").waitFor();
	const confirming = await context.newPage();
	await confirming.goto(await linkTo(dora.email, "/verify-email"));
	await confirming.fill("#password", dora.password);
	await confirming.click("button.main");
	await confirming.waitForURL((url) => url.pathname !== "/verify-email");
	await signIn(page, dora);
	await page.getByRole("heading", { name: "New site" }).waitFor();
	await context.close();
});

test("a forgotten password: the same answer for every address, and a link that sets a new one", async () => {
	const { page, context, goto } = await service.read({ isStranger: true });
	for (const email of ["nobody@example.com", ann.email]) {
		await goto("/forgot-password");
		await page.getByLabel("Email").fill(email);
		await page.getByRole("button", { name: "Send link" }).click();
		await page.getByText(`If ${email} has an account, we've sent a link.`).waitFor();
	}
	assert.deepEqual(await mailbox(service.app).to("nobody@example.com"), []);
	await page.goto(await linkTo(ann.email, "/reset-password"));
	await page.fill("#new_password", "another good long password");
	await page.click("button.main");
	await page.getByText("Password changed and all sessions ended.").waitFor();
	await page.goto(`${service.root}/sign-in?next=/sites`);
	await signIn(page, { email: ann.email, password: "another good long password" });
	await page.getByRole("heading", { name: "Sites" }).waitFor();
	await context.close();
});

test("after ten wrong passwords it says how long to wait, and keeps what was typed", async () => {
	const { page, context, goto } = await service.read({ isStranger: true });
	await goto("/sign-in");
	for (let attempt = 0; attempt < 11; attempt++) {
		const answered = page.waitForResponse((response) => response.url().endsWith("/auth/token"));
		await signIn(page, { email: "emil@example.com", password: `wrong ${attempt}` });
		await answered;
	}
	await page.getByText(/^Too many attempts\. You can try again in \d+:\d\d min\.$/).waitFor();
	assert.equal(await page.getByLabel("Email").inputValue(), "emil@example.com");
	await context.close();
});
