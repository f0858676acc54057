import assert from "node:assert/strict";
import { test } from "node:test";
import { mailbox } from "../../../server/test/support/mailbox.ts";
import { fill, mailedLink, signInAs } from "../support/acts.ts";
import { axeFaults } from "../support/axe.ts";
import { fits } from "../support/geometry.ts";
import { ann, openDashboard, sharedDashboard } from "../support/open-dashboard.ts";

const service = sharedDashboard(() =>
	openDashboard({ REGISTRATION: "open", COOKIE_SECURE: "true" }, { isEmpty: true }),
);

const cleo = { email: "cleo@example.com", password: "a blue bicycle in the rain" };
const dora = { ...cleo, email: "dora@example.com" };

test("a new account: the rules are told while one types, and the mail leads in", async (t) => {
	const { page } = await service.open(t, "/sign-in", { isStranger: true, bypassCSP: true, width: 390 });
	await page.getByRole("link", { name: "Create an account" }).click();
	await fill(page, { "Your name": "Cleo", Email: cleo.email, Password: "cleo is short" });
	await page.getByText("does not contain your email address (not met)").waitFor();
	assert.deepEqual(await axeFaults(page), []);
	await fits(page, [390]);
	await page.getByLabel("Password").fill(cleo.password);
	await page.getByText("does not contain your email address (met)").waitFor();
	await page.getByLabel("I accept the terms").check();
	await page.getByRole("button", { name: "Create an account" }).click();
	await page.getByText("We sent an email to cleo@example.com.").waitFor();
});

test("a user with an unconfirmed address gets the mail again, and then comes in", async (t) => {
	const payload = { ...dora, name: "Dora", accept_terms: true };
	const registered = await service.app.inject({ method: "POST", url: "/api/v1/auth/register", payload });
	assert.equal(registered.statusCode, 200, registered.body);
	const { page, context } = await service.open(t, "/sites/new", { isStranger: true, meetsErrors: true });
	await signInAs(page, dora.email, dora.password);
	await page.getByText("Your email address is not confirmed yet.").waitFor();
	assert.equal(await page.getByLabel("Email").inputValue(), dora.email);
	await page.getByRole("button", { name: "Resend email" }).click();
	await page.getByText("we've sent a new link").waitFor();
	const confirming = await context.newPage();
	await confirming.goto(await mailedLink(service, dora.email, "/verify-email"));
	await confirming.fill("#password", dora.password);
	await confirming.click("button.main");
	await confirming.waitForURL((url) => url.pathname !== "/verify-email");
	await signInAs(page, dora.email, dora.password);
	await page.getByRole("heading", { name: "New site" }).waitFor();
});

test("a forgotten password: the same answer for every address, and a link that sets a new one", async (t) => {
	const { page, goto } = await service.read(t, { isStranger: true, meetsErrors: true });
	for (const email of ["nobody@example.com", ann.email]) {
		await goto("/forgot-password");
		await page.getByLabel("Email").fill(email);
		await page.getByRole("button", { name: "Send link" }).click();
		await page.getByText(`If ${email} has an account, its operator finds a link`).waitFor();
	}
	assert.deepEqual(await mailbox(service.app).to("nobody@example.com"), []);
	await page.goto(await mailedLink(service, ann.email, "/reset-password"));
	await page.fill("#new_password", "another good long password");
	await page.click("button.main");
	await page.getByText("Password changed and all sessions ended.").waitFor();
	await page.goto(`${service.root}/sign-in?next=/sites`);
	await signInAs(page, ann.email, "another good long password");
	await page.getByRole("heading", { name: "Sites" }).waitFor();
});

test("a sign-in over plain HTTP from another machine says that the browser dropped the session", async (t) => {
	const { page } = await service.read(t, { isStranger: true, meetsErrors: true });
	await page.goto(`${service.root.replace("127.0.0.1", "stats.test")}/sign-in`);
	await signInAs(page, ann.email, "another good long password");
	await page.getByRole("alert").getByText("this address is not HTTPS").waitFor();
	assert.equal(await page.getByLabel("Email").inputValue(), ann.email);
});

test("after ten wrong passwords it says how long to wait, and keeps what was typed", async (t) => {
	const { page } = await service.open(t, "/sign-in", { isStranger: true, meetsErrors: true });
	const email = "emil@example.com";
	for (let attempt = 0; attempt < 10; attempt++) {
		const payload = { email, password: `wrong ${attempt}` };
		const { statusCode } = await service.app.inject({ method: "POST", url: "/api/v1/auth/token", payload });
		assert.equal(statusCode, 401);
	}
	await signInAs(page, email, "wrong again");
	await page.getByText(/^Too many attempts\. You can try again in \d+:\d\d min\.$/).waitFor();
	assert.equal(await page.getByLabel("Email").inputValue(), email);
});
