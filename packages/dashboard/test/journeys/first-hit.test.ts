import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { newVisitor, type Page } from "../../../server/test/support/browser.ts";
import { type BrowserSite, openBrowserSite } from "../../../server/test/support/browser-site.ts";
import { type DashboardService, openDashboard } from "../support/open-dashboard.ts";

let service: DashboardService;
let sites: BrowserSite[] = [];
before(async () => {
	service = await openDashboard();
});
after(async () => {
	await service?.close();
	await Promise.all(sites.map((site) => site.close()));
});

/** Puts the snippet that the dashboard shows into the pages of a host. */
async function publish(dashboard: Page, host: string): Promise<BrowserSite> {
	const snippet = await dashboard.getByRole("region", { name: "Snippet" }).locator("pre").textContent();
	const site = await openBrowserSite(host, { "/pricing": `<title>Pricing</title>${snippet}` });
	sites = [...sites, site];
	return site;
}

async function visit(site: BrowserSite): Promise<void> {
	const visitor = await newVisitor(service.browser);
	const page = await visitor.newPage();
	const sent = page.waitForResponse((response) => response.url().endsWith("/event"));
	await page.goto(`${site.origin}/pricing`);
	assert.equal((await sent).status(), 204);
	await visitor.close();
}

test("a new site, its snippet, the first hit: the doctor sees it, and it happens on the live screen", async () => {
	const { page, goto, leave } = await service.read();
	await goto("/sites");
	await page.getByRole("link", { name: "New site" }).click();
	await page.getByLabel("Name").fill("Cats");
	await page.getByLabel("Domain").fill("cats.test");
	assert.equal(await page.getByLabel("Time zone").inputValue(), "Europe/Madrid");
	await page.getByRole("button", { name: "Next" }).click();
	await page.waitForURL("**/sites/cats/settings/install?view=new");
	await page.getByText("Data accepted: waiting").waitFor();
	await visit(await publish(page, "cats.test"));
	await page.getByText("Data accepted: done").waitFor();
	await page.getByRole("link", { name: "Open live view", exact: true }).click();
	await page.getByRole("link", { name: "1 now, open live view" }).waitFor();
	await page.getByRole("region", { name: "Pages now" }).getByText("/pricing").waitFor();
	await leave();
});

test("hits from a wrong domain are named, allowed with one click, and then counted", async () => {
	const { page, goto, api, leave } = await service.read();
	await goto("/sites/empty/settings/install");
	const site = await publish(page, "www.elsewhere.test");
	await visit(site);
	await page.getByText("www.elsewhere.test is not one of this site's domains.").waitFor();
	await page.getByText("Data accepted: rejected").waitFor();
	await page.getByRole("button", { name: "Allow www.elsewhere.test" }).click();
	await page.getByText("www.elsewhere.test is allowed.").waitFor();
	assert.deepEqual((await api<{ domains: readonly string[] }>("/sites/empty")).domains, [
		"empty.example",
		"elsewhere.test",
	]);
	await visit(site);
	await page.getByText("Data accepted: done").waitFor();
	await leave();
});
