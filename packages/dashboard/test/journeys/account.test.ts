import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { signIn as openSession } from "../../../server/test/support/accounts.ts";
import { totpAt, wrongCode } from "../../../server/test/support/authenticator.ts";
import type { Page } from "../../../server/test/support/browser.ts";
import { mailedLink, signInAs } from "../support/acts.ts";
import { geometryFaults } from "../support/geometry.ts";
import { ann, type DashboardService, openDashboard, settled } from "../support/open-dashboard.ts";

const stepMs = 30_000;
/** Ann's address, once it is another one. */
const moved = "anna@example.org";

let service: DashboardService;
before(async () => {
	service = await openDashboard();
});
after(() => service?.close());

/** Nothing overflows or overlaps, on a desk and on a small phone. */
async function fits(page: Page): Promise<void> {
	for (const width of [320, 1440]) {
		await page.setViewportSize({ width, height: 900 });
		assert.deepEqual(await geometryFaults(page), [], `${width} px`);
	}
}

/** The text of a block that is there to be copied. */
const secretIn = async (page: Page, label: string) =>
	(await page.locator(`strong:text-is("${label}")`).locator("xpath=../..").locator("code").textContent()) ?? "";

/** How the service answers somebody who asks for the own account. */
const statusOf = async (headers: Readonly<Record<string, string>>) =>
	(await service.app.inject({ url: "/api/v1/users/me", headers })).statusCode;

test("a key is made in three clicks, shown once, reads what it may, and is refused once it is revoked", async () => {
	const { page, goto, leave } = await service.read();
	await goto("/account/tokens");
	await page.getByRole("button", { name: "New API key" }).click();
	await page.getByRole("button", { name: "Create key" }).click();
	await page.getByRole("heading", { name: /created$/ }).waitFor();
	await fits(page);
	const call = /^curl "([^"]+)" \\\n {2}-H "X-API-Key: (svc_[A-Za-z0-9]{60})"$/.exec(
		await secretIn(page, "Example request"),
	);
	const [, url = "", key = ""] = call ?? [];
	assert.equal(await secretIn(page, "Key"), key);
	const read = async () => (await fetch(url, { headers: { "X-API-Key": key } })).status;
	assert.equal(await read(), 200);
	await page.getByRole("button", { name: "Done" }).click();
	await page.reload();
	await settled(page);
	assert.equal((await page.content()).includes(key), false);
	await page
		.getByText("used now")
		.or(page.getByText(/used \d+ second/))
		.first()
		.waitFor();
	await page.getByRole("button", { name: /^Revoke API key/ }).click();
	await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
	await page.getByText("Key revoked.").waitFor();
	assert.equal(await read(), 401);
	await leave();
});

test("the second step is turned on, asked for at sign-in, where a wrong code may be mended and a backup code will do, and turned off", async () => {
	const { page, goto, leave } = await service.read();
	await goto("/account/security");
	await page.getByRole("button", { name: "Enable" }).click();
	await page.getByLabel("Current password").fill(ann.password);
	await page.getByRole("button", { name: "Continue" }).click();
	await page.getByAltText("QR code for the authenticator app").waitFor();
	const secret = await secretIn(page, "Or enter this key in the app");
	const codeNow = () => totpAt(secret, service.app.clock.now());
	await page.getByLabel("Code", { exact: true }).fill(codeNow());
	await page.getByRole("button", { name: "Verify code" }).click();
	const codes = page.getByRole("list", { name: "Your backup codes" }).getByRole("listitem");
	await codes.first().waitFor();
	await fits(page);
	const kept = await codes.allTextContents();
	assert.equal(new Set(kept.filter((code) => /^\w{4}-\w{4}-\w{4}$/.test(code))).size, 10);
	await page.getByRole("button", { name: "I've saved them" }).click();
	await leave();

	// The step of the first code has been used.
	service.app.clock.advance(2 * stepMs);
	const other = await service.read({ isStranger: true });
	const proceed = () => other.page.getByRole("button", { name: "Continue" }).click();
	await other.goto("/account/security");
	await signInAs(other.page, ann.email);
	await other.page.getByLabel("Code").fill(wrongCode(secret, service.app.clock.now()));
	await proceed();
	await other.page.getByText("Wrong code.").waitFor();
	await other.page.getByLabel("Code").fill(codeNow());
	await proceed();
	await other.page.getByText("10 backup codes are left.").waitFor();
	await other.context.clearCookies();
	await other.load("/account/security");
	await signInAs(other.page, ann.email);
	await other.page.getByRole("button", { name: "Use a backup code instead" }).click();
	await other.page.getByLabel("Backup code").fill(kept[0] ?? "");
	await proceed();
	await other.page.getByText("9 backup codes are left.").waitFor();
	service.app.clock.advance(2 * stepMs);
	await other.page.getByRole("button", { name: "New backup codes" }).click();
	await other.page.getByLabel("Code", { exact: true }).fill(codeNow());
	await other.page.getByRole("button", { name: "New backup codes" }).click();
	const anew = other.page.getByRole("list", { name: "Your backup codes" }).getByRole("listitem");
	await anew.first().waitFor();
	const [fresh = ""] = await anew.allTextContents();
	assert.equal(kept.includes(fresh), false);
	await other.page.getByRole("button", { name: "I've saved them" }).click();
	await other.page.getByRole("button", { name: "Disable" }).click();
	const dialog = other.page.getByRole("dialog");
	await dialog.getByLabel("Current password").fill(ann.password);
	await dialog.getByLabel("Authenticator code or backup code").fill(fresh);
	await dialog.getByRole("button", { name: "Disable" }).click();
	await other.page.getByRole("button", { name: "Enable" }).waitFor();
	// The refused code is an error on the console, so the window is closed without asking for a clean one.
	await other.context.close();
});

test("the address changes once both mails have been answered, and the screen shows its progress", async () => {
	const { page, context, goto, leave } = await service.read({ realClock: true });
	await goto("/account");
	await page.getByRole("button", { name: "Change email address" }).click();
	await page.getByLabel("New email address").fill(moved);
	await page.getByLabel("Your password").fill(ann.password);
	await page.getByRole("button", { name: "Send confirmation emails" }).click();
	await page.getByRole("heading", { name: `Change to ${moved}: waiting for both addresses to confirm` }).waitFor();
	const confirm = async (address: string) => {
		const mail = await context.newPage();
		await mail.goto(await mailedLink(service, address, "/change-address"));
		await mail.getByRole("button", { name: "Confirm change" }).click();
		await mail.getByRole("heading", { name: /Address confirmed|Address changed/ }).waitFor();
		await mail.close();
	};
	await confirm(moved);
	await page.getByText(`${moved} confirmed`).waitFor();
	await page.getByText(`${ann.email}: confirmation email sent`).waitFor();
	await confirm(ann.email);
	await page.getByRole("button", { name: "Change email address" }).waitFor();
	await page.getByText(moved, { exact: true }).waitFor();
	await leave();
});

test("another password ends the other sessions, each session can be ended from here, and whoever closes the account is out", async () => {
	const email = "dora@example.com";
	const dora = await openSession(service.app, { email, name: "Dora" });
	const next = "a blue bicycle in the rain";
	const { page, goto, leave } = await service.read({ as: email, password: ann.password });
	await goto("/account/security");
	await page.getByText("Unknown browser").waitFor();
	await page.getByRole("button", { name: "Change password" }).click();
	await page.getByLabel("Current password").fill(ann.password);
	await page.getByLabel("New password").fill(next);
	await page.getByRole("button", { name: "Change password" }).click();
	await page.getByText("Password changed. 1 other session ended.").waitFor();
	await page.getByText("Unknown browser").waitFor({ state: "detached" });
	assert.equal(await statusOf(dora.headers), 401);
	const elsewhere = await service.app.inject({
		method: "POST",
		url: "/api/v1/auth/token",
		headers: { "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0" },
		payload: { email, password: next },
	});
	await goto("/account");
	await goto("/account/security");
	await page.getByRole("button", { name: "End session: Firefox on Linux" }).click();
	await page.getByText("Session ended.", { exact: true }).waitFor();
	assert.equal(await statusOf({ authorization: `Bearer ${elsewhere.json().data.access_token}` }), 401);
	await goto("/account");
	await page.getByRole("button", { name: "Delete account" }).click();
	const dialog = page.getByRole("dialog");
	await dialog.getByLabel("Your password").fill(next);
	await dialog.getByLabel(`Type “${email}” to confirm`).fill(email);
	await dialog.getByRole("button", { name: "Delete account" }).click();
	await page.getByRole("heading", { name: "Sign in" }).waitFor();
	await leave();
});
