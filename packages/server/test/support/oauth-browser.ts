import type { Page } from "./browser.ts";

/** Password of the users of a test. */
const password = "correct horse battery staple 7";

/** Waits until a page with this title is shown: pages between go by on their own. */
const shown = (page: Page, title: string) =>
	page.getByRole("heading", { level: 1, name: title, exact: true }).waitFor();

/** Goes to an authorization address as a user does, signs in, and stops at the question. */
export async function signInAtConsent(page: Page, authorizationUrl: URL, email: string): Promise<void> {
	await page.goto(authorizationUrl.href);
	await shown(page, "Sign in");
	await page.fill("#email", email);
	await page.fill("#password", password);
	await page.getByRole("button", { name: "Sign in" }).click();
	await shown(page, "Allow access?");
}

/** Answers the question with a site; the browser is at the app afterwards. */
export async function allow(page: Page, site: string): Promise<void> {
	await page.check(`input[name=site_id][value="${site}"]`);
	await page.getByRole("button", { name: "Allow" }).click();
	await shown(page, "Connected");
}

/** Answers the question with no. */
export async function deny(page: Page): Promise<void> {
	await page.getByRole("button", { name: "Deny" }).click();
	await shown(page, "Connected");
}
