import assert from "node:assert/strict";
import type { Page } from "./browser.ts";

/** Password of the users of a test. */
const password = "correct horse battery staple 7";

/** Goes to an authorization address as a user does, signs in, and stops at the question. */
export async function signInAtConsent(page: Page, authorizationUrl: URL, email: string): Promise<void> {
	await page.goto(authorizationUrl.href);
	assert.equal(await page.locator("h1").textContent(), "Sign in");
	await page.fill("#email", email);
	await page.fill("#password", password);
	await page.getByRole("button", { name: "Sign in" }).click();
	assert.equal(await page.locator("h1").textContent(), "Allow access?");
}

/** Answers the question with a site; the browser is at the app afterwards. */
export async function allow(page: Page, site: string): Promise<void> {
	await page.check(`input[name=site_id][value="${site}"]`);
	await page.getByRole("button", { name: "Allow" }).click();
	assert.equal(await page.locator("h1").textContent(), "Connected");
}

/** Answers the question with no. */
export async function deny(page: Page): Promise<void> {
	await page.getByRole("button", { name: "Deny" }).click();
	assert.equal(await page.locator("h1").textContent(), "Connected");
}
