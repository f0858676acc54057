import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page } from "../../../server/test/support/browser.ts";
import { type DashboardService, openDashboard } from "../support/open-dashboard.ts";

let service: DashboardService;
before(async () => {
	service = await openDashboard();
});
after(() => service?.close());

/** Presses Tab until what has the focus is what one looks for. */
async function tabTo(page: Page, name: string | RegExp, most = 60): Promise<void> {
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

const filters = (page: Page) => new URL(page.url()).searchParams.getAll("f");

test("by keys alone: a list is chosen, filters, leaves out, opens, is searched, ordered, and closes", async () => {
	const { page, goto, leave } = await service.read();
	await goto("/sites/shop?compare=none");
	await tabTo(page, "Channels");
	for (const tab of ["Sources", "Medium", "Referrers", "Campaigns", "Terms", "Ad content"]) {
		await page.keyboard.press("ArrowRight");
		await page.getByRole("tab", { name: tab, selected: true }).waitFor();
	}
	await page.keyboard.press("Home");
	await page.keyboard.press("ArrowRight");
	await tabTo(page, /^google /);
	await page.keyboard.press("Enter");
	await page.waitForURL((url) => url.search.includes("google"));
	assert.deepEqual(filters(page), ["utm_source:eq:google"]);
	await page.keyboard.press("Tab");
	await page.keyboard.press("Enter");
	// Its buttons are made when it opens: a key that comes before them goes past it.
	await page.getByRole("button", { name: "Exclude" }).waitFor();
	await tabTo(page, "Exclude");
	await page.keyboard.press("Enter");
	await page.waitForURL((url) => decodeURIComponent(url.search).includes("utm_source:ne:google"));

	// The card that had the focus is the one that is searched.
	await tabTo(page, "Pages");
	await page.keyboard.press("/");
	const drawer = page.getByRole("dialog", { name: "Pages" });
	await drawer.getByRole("searchbox", { name: "Search" }).and(page.locator(":focus")).waitFor();
	await page.keyboard.type("/s");
	await page.waitForURL((url) => url.searchParams.get("q") === "/s");
	await tabTo(page, "Visits");
	await page.keyboard.press("Enter");
	await page.waitForURL((url) => url.searchParams.get("sort") === "-entrances");
	await page.keyboard.press("/");
	await drawer.getByRole("searchbox", { name: "Search" }).and(page.locator(":focus")).waitFor();
	await tabTo(page, /^\/s/);
	await page.keyboard.press("Enter");
	await page.waitForURL((url) => url.searchParams.getAll("f").length === 2);
	await drawer.waitFor({ state: "detached" });
	await page.keyboard.press("Escape");
	await page.waitForURL((url) => url.searchParams.getAll("f").length === 0);
	await leave();
});

test("the key for searching opens the first list where none has the focus", async () => {
	const { page, goto, leave } = await service.read();
	await goto("/sites/shop");
	await page.keyboard.press("/");
	await page.getByRole("dialog", { name: "Channels" }).waitFor();
	await page.keyboard.press("Escape");
	await page.waitForURL((url) => !url.searchParams.has("panel"));
	await leave();
});

test("tabs for terms and contents are there only where links have some", async () => {
	const { page, goto, leave } = await service.read();
	await goto("/sites/empty");
	await page.getByRole("tab", { name: "Campaigns" }).waitFor();
	assert.equal(await page.getByRole("tab", { name: "Terms" }).count(), 0);
	await leave();
});

test("by keys alone: a site is made, its snippet copied, a domain allowed", async () => {
	const { page, context, goto, api, leave } = await service.read();
	await context.grantPermissions(["clipboard-read", "clipboard-write"]);
	await goto("/sites");
	await tabTo(page, "New site");
	await page.keyboard.press("Enter");
	await page.getByLabel("Name").and(page.locator(":focus")).waitFor();
	await page.keyboard.type("Dogs");
	await page.keyboard.press("Tab");
	await page.keyboard.type("dogs.test");
	await page.keyboard.press("Enter");
	await page.waitForURL("**/sites/dogs/settings/install?view=new");
	await page.getByRole("region", { name: "Snippet" }).waitFor();
	await tabTo(page, "Copy");
	await page.keyboard.press("Enter");
	await page.waitForFunction(async () => (await navigator.clipboard.readText()).includes("<script"));
	await goto("/sites/dogs/settings/install");
	const domain = page.getByLabel("Domain");
	for (let at = 0; at < 40 && !(await domain.and(page.locator(":focus")).count()); at++)
		await page.keyboard.press("Tab");
	await page.keyboard.type("www.dogs-elsewhere.test");
	await page.keyboard.press("Enter");
	await page.getByText("dogs-elsewhere.test", { exact: true }).first().waitFor();
	assert.deepEqual((await api<{ domains: readonly string[] }>("/sites/dogs")).domains, [
		"dogs.test",
		"dogs-elsewhere.test",
	]);
	await leave();
});
