import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { newVisitor, type Page } from "../../../server/test/support/browser.ts";
import { type BrowserSite, openBrowserSite } from "../../../server/test/support/browser-site.ts";
import { openWebhookReceiver, type WebhookReceiver } from "../../../server/test/support/webhook-receiver.ts";
import { tabTo } from "../support/acts.ts";
import { type DashboardService, openDashboard } from "../support/open-dashboard.ts";

/** Any HTTPS server will do for a website. */
let website: WebhookReceiver;
let service: DashboardService;
let sites: BrowserSite[] = [];
before(async () => {
	website = await openWebhookReceiver();
	service = await openDashboard({}, { outbound: { allowPrivate: true, extraCertificates: [website.certificate] } });
});
after(async () => {
	await service?.close();
	await website?.close();
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

test("a new site by keys alone, its snippet, the first hit: the doctor sees it, and it happens on the live screen", async () => {
	const { page, context, goto, leave } = await service.read();
	await context.grantPermissions(["clipboard-read", "clipboard-write"]);
	await goto("/sites");
	await tabTo(page, "New site");
	await page.keyboard.press("Enter");
	await page.getByLabel("Name").and(page.locator(":focus")).waitFor();
	await page.keyboard.type("Cats");
	await page.keyboard.press("Tab");
	await page.keyboard.type("cats.test");
	assert.equal(await page.getByLabel("Time zone").inputValue(), "Europe/Madrid");
	await page.keyboard.press("Enter");
	await page.waitForURL("**/sites/cats/settings/install?view=new");
	await page.getByText("Data accepted: waiting").waitFor();
	await tabTo(page, "Copy");
	await page.keyboard.press("Enter");
	await page.waitForFunction(async () => (await navigator.clipboard.readText()).includes("<script"));
	await visit(await publish(page, "cats.test"));
	await page.getByText("Data accepted: done").waitFor();
	await page.getByRole("link", { name: "Open live view", exact: true }).click();
	await page.getByRole("link", { name: "1 now, open live view" }).waitFor();
	await page.getByRole("region", { name: "Pages now" }).getByText("/pricing").waitFor();
	await leave();
});

test("hits from a wrong domain are named, allowed with one click, and then counted; a failure to allow it is shown as one", async () => {
	const { page, context, goto, api } = await service.read();
	await goto("/sites/empty/settings/install");
	const site = await publish(page, "www.elsewhere.test");
	await visit(site);
	await page.getByText("www.elsewhere.test is not one of this site's domains.").waitFor();
	await page.getByText("Data accepted: rejected").waitFor();
	await page.route("**/sites/empty/domains", (route) => route.abort(), { times: 1 });
	await page.getByRole("button", { name: "Allow www.elsewhere.test" }).click();
	await page.getByRole("alert").getByText("Can't reach the server").waitFor();
	await page.getByRole("button", { name: "Allow www.elsewhere.test" }).click();
	await page.getByText("www.elsewhere.test is allowed.").waitFor();
	assert.equal(await page.getByRole("alert").count(), 0);
	assert.deepEqual((await api<{ domains: readonly string[] }>("/sites/empty")).domains, [
		"empty.example",
		"elsewhere.test",
	]);
	await visit(site);
	await page.getByText("Data accepted: done").waitFor();
	// The answer that failed is an error on the browser's console.
	await context.close();
});

test("a page is looked at, and each thing that stands in the way is said in words", async () => {
	const { page, context, goto } = await service.read();
	const html = { "content-type": "text/html" };
	const tag = (id: string) => `<script src="${service.root}/t.js?id=${id}" defer></script>`;
	const csp = "script-src 'self'; connect-src 'self'";
	const closed = { ...html, "content-security-policy": csp };
	website.answers("/none", { status: 200, headers: html, body: "<h1>Hello</h1>" });
	website.answers("/other", { status: 200, headers: html, body: tag("blog") });
	website.answers("/closed", { status: 200, headers: closed, body: tag("shop") });
	website.answers("/broken", { status: 500, headers: html, body: "" });
	website.answers("/dropped", "drop");
	website.answers("/moved", { status: 301, headers: { location: "/ok" } });
	website.answers("/file", { status: 200, headers: { "content-type": "application/pdf" }, body: "" });
	website.answers("/ok", { status: 200, headers: html, body: tag("shop") });
	await goto("/sites/shop/settings/install");
	const card = page.getByRole("region").or(page.locator("section")).filter({ hasText: "Check a page" }).last();
	const check = async (url: string) => {
		await card.getByLabel("Page URL").fill(url);
		await card.getByRole("button", { name: "Check" }).click();
	};
	for (const [path, words] of [
		["/none", "The snippet is not in the page."],
		["/other", "The snippet on the page belongs to another site: blog."],
		["/broken", "The page responded with 500."],
		["/dropped", /^Couldn't open the page: /],
		["/moved", `The page redirects to ${website.url}/ok. Check that one.`],
		["/file", "This address is not a web page."],
		["/ok", "The snippet is installed and nothing blocks it."],
		["/closed", "The snippet is installed, but the page's Content-Security-Policy blocks it."],
	] as const) {
		await check(website.url + path);
		await card.getByRole("status").getByText(words).waitFor();
	}
	for (const detail of ["script-src must allow the script.", "connect-src must allow sending data.", csp])
		await card.getByText(detail).waitFor();
	await check("shop example");
	await page.locator("input[name=url][aria-invalid=true]").waitFor();
	await page.getByText("must be a URL").waitFor();
	// The refused address is an error on the browser's console.
	await context.close();
});
