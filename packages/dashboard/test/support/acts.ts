import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { Page } from "../../../server/test/support/browser.ts";
import { mailedLink as mailedPath } from "../../../server/test/support/page-client.ts";
import { ann, type DashboardService } from "./open-dashboard.ts";

/** Counts as the dashboard writes them. */
export const whole = new Intl.NumberFormat("en-GB");

/** Takes back what has just been told; it is done when its list is asked again. */
export async function undo(page: Page, told: string, list: string): Promise<void> {
	const again = page.waitForResponse((one) => one.request().method() === "GET" && one.url().includes(`/api/v1${list}`));
	await page.getByRole("status").getByText(told).getByRole("button", { name: "Undo" }).click();
	await again;
	await page.getByText("Undone.").last().waitFor();
}

/** Fills in fields by their labels. */
export async function fill(within: Pick<Page, "getByLabel">, values: Readonly<Record<string, string>>): Promise<void> {
	for (const [label, value] of Object.entries(values)) await within.getByLabel(label).fill(value);
}

/** Fills in the form of signing in. */
export async function signInAs(page: Page, email: string, password = ann.password): Promise<void> {
	await fill(page, { Email: email, Password: password });
	await page.getByRole("button", { name: "Sign in" }).click();
}

/** The address on this service of the newest link to a page in the mails to somebody. */
export const mailedLink = async ({ app, root }: DashboardService, to: string, path: string): Promise<string> =>
	root + (await mailedPath(app, to, path));

/** Waits until the address says something, or no longer does. */
export const addressed = (page: Page, part: string, isThere = true) =>
	page.waitForURL((url) => decodeURIComponent(url.search).includes(part) === isThere);

/** Presses Tab until what has the focus is what one looks for. */
export async function tabTo(page: Page, name: string | RegExp, most = 60): Promise<void> {
	const wanted = page
		.getByRole("button", { name })
		.or(page.getByRole("tab", { name }))
		.or(page.getByRole("link", { name }));
	for (let at = 0; at < most; at++) {
		await page.keyboard.press("Tab");
		if (await wanted.evaluateAll((all) => all.includes(document.activeElement as HTMLElement))) return;
	}
	assert.fail(`Tab does not lead to ${name}`);
}

/** The text of the file that an act saves. */
export async function savedBy(page: Page, act: () => Promise<void>): Promise<string> {
	const download = page.waitForEvent("download");
	await act();
	return readFileSync(await (await download).path(), "utf8");
}

/** Waits until a page has been drawn often. */
export const frames = (page: Page) =>
	page.evaluate(async () => {
		for (let frame = 0; frame < 30; frame++) await new Promise(requestAnimationFrame);
	});
