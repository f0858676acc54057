import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Session, signIn } from "../../../server/test/support/accounts.ts";
import { totpAt, wrongCode } from "../../../server/test/support/authenticator.ts";
import type { Page } from "../../../server/test/support/browser.ts";
import { ann, type DashboardService, openDashboard } from "../support/open-dashboard.ts";

const bea = { email: "bea@example.com", password: ann.password };
const stepMs = 30_000;

let service: DashboardService;
let secret: string;
let backupCodes: readonly string[];

before(async () => {
	service = await openDashboard();
	({ secret, backupCodes } = await enableTwoFactor(await signIn(service.app, { email: bea.email, name: "Bea" })));
});
after(() => service?.close());

async function enableTwoFactor({ headers }: Session) {
	const ask = async (url: string, payload: object) => {
		const answer = await service.app.inject({ method: "POST", url: `/api/v1/2fa/${url}`, headers, payload });
		assert.equal(answer.statusCode, 200, answer.body);
		return answer.json().data;
	};
	const { secret } = await ask("setup", { password: bea.password });
	const { backup_codes } = await ask("verify", { code: totpAt(secret, service.app.clock.now()) });
	// The step of the first code has been used.
	service.app.clock.advance(2 * stepMs);
	return { secret: secret as string, backupCodes: backup_codes as readonly string[] };
}

async function toSecondStep(page: Page) {
	await page.getByLabel("Email").fill(bea.email);
	await page.getByLabel("Password").fill(bea.password);
	await page.getByRole("button", { name: "Sign in" }).click();
	await page.getByRole("heading", { name: "Two-step sign-in" }).waitFor();
}

const arrived = (page: Page) => page.getByRole("heading", { name: "New site" }).waitFor();

test("a wrong code is told and may be mended; the right one signs in", async () => {
	const { page, context, goto } = await service.read({ isStranger: true });
	await goto("/sites/new");
	await toSecondStep(page);
	await page.getByLabel("Code").fill(wrongCode(secret, service.app.clock.now()));
	await page.getByRole("button", { name: "Continue" }).click();
	await page.getByText("Wrong code.").waitFor();
	await page.getByLabel("Code").fill(totpAt(secret, service.app.clock.now()));
	await page.getByRole("button", { name: "Continue" }).click();
	await arrived(page);
	// The refused code is an error on the console, so the window is closed without asking for a clean one.
	await context.close();
});

test("whoever has lost the app signs in with a backup code", async () => {
	const { page, goto, leave } = await service.read({ isStranger: true });
	await goto("/sites/new");
	await toSecondStep(page);
	await page.getByRole("button", { name: "Use a backup code instead" }).click();
	await page.getByLabel("Backup code").fill(backupCodes[0] ?? "");
	await page.getByRole("button", { name: "Continue" }).click();
	await arrived(page);
	await leave();
});

test("whoever is not signed in comes back, after signing in, to where they wanted to be", async () => {
	const { page, goto, leave } = await service.read({ isStranger: true });
	await goto("/sites/shop?period=7d");
	await page.getByLabel("Email").fill(ann.email);
	await page.getByLabel("Password").fill(ann.password);
	await page.getByRole("button", { name: "Sign in" }).click();
	await page.waitForURL("**/sites/shop?period=7d");
	await page.getByRole("navigation", { name: "Screens" }).waitFor();
	assert.equal(new URL(page.url()).search, "?period=7d");
	await leave();
});
