import assert from "node:assert/strict";
import { after, test } from "node:test";
import { createSite } from "../../../server/test/support/accounts.ts";
import { newVisitor, type Page } from "../../../server/test/support/browser.ts";
import { type BrowserSite, openBrowserSite } from "../../../server/test/support/browser-site.ts";
import { sendHits } from "../../../server/test/support/hits.ts";
import { addressed, tabTo, whole } from "../support/acts.ts";
import { sharedDashboard } from "../support/open-dashboard.ts";

const service = sharedDashboard();
const sites: BrowserSite[] = [];
after(() => Promise.all(sites.map((site) => site.close())));

/** Puts the snippet that the dashboard shows into the pages of a host. */
async function publish(dashboard: Page, host: string): Promise<BrowserSite> {
	const snippet = await dashboard.getByRole("region", { name: "Snippet" }).locator("pre").textContent();
	const site = await openBrowserSite(host, { "/pricing": `<title>Pricing</title>${snippet}` });
	sites.push(site);
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

const strip = (page: Page) => page.getByRole("region", { name: "Key metrics" });
const tile = (page: Page, name: string) => strip(page).getByRole("button", { name: new RegExp(`^${name}`) });

test("a new site by keys alone, its snippet, the first hit: the doctor sees it, and it happens on the live screen", async (t) => {
	const { page, context, goto } = await service.read(t);
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
});

test("a site with data since today opens on today without a comparison, by one request; a period of the address has its own", async (t) => {
	const id = await createSite(service.app, service.ann, { name: "Birds", timezone: "Europe/Madrid" });
	await sendHits(service.app, [{ site: id, url: "https://shop.example/" }]);
	const { page, goto } = await service.read(t);
	/** Periods and comparisons of the overviews that the page requests. */
	const asked: (string | undefined)[][] = [];
	page.on("request", (request) => {
		if (!request.url().endsWith("/api/v1/batch")) return;
		for (const { endpoint, params } of request.postDataJSON().queries)
			if (endpoint === "/stats/overview") asked.push([params["period"], params["compare"]]);
	});
	await goto(`/sites/${id}`);
	await tile(page, "Visits\\s*1").waitFor();
	assert.deepEqual(asked, [["today", undefined]]);
	await page.getByRole("button", { name: "Period: Today 21 Nov" }).waitFor();
	await page.getByRole("button", { name: "Comparison: No comparison" }).waitFor();
	await page.keyboard.press("t");
	await page.waitForURL((url) => url.search === "?period=30d&compare=none");
	await page.keyboard.press("d");
	await page.waitForURL((url) => url.search === "");
	await goto(`/sites/${id}?period=30d`);
	await page.getByRole("button", { name: "Comparison: vs previous period 23 Sept – 22 Oct" }).waitFor();
});

test("revenue has a tile from the first conversion with an amount on, or where the address asks for it", async (t) => {
	const id = await createSite(service.app, service.ann, { name: "Bakery" });
	await sendHits(service.app, [{ site: id, url: "https://shop.example/", event: "lead" }]);
	const { page, goto, load } = await service.read(t);
	await goto(`/sites/${id}`);
	await tile(page, "Conversions\\s*1").waitFor();
	assert.equal(await strip(page).getByRole("listitem").count(), 7);
	assert.equal(await tile(page, "Revenue").count(), 0);
	await goto(`/sites/${id}?metric=revenue`);
	await tile(page, "Revenue\\s*€0.00").waitFor();
	await sendHits(service.app, [{ site: id, url: "https://shop.example/", event: "order", amount: 12.5 }]);
	await load(`/sites/${id}`);
	await tile(page, "Revenue\\s*€12.50").waitFor();
	// It stays in days without any.
	await load(`/sites/${id}?period=yesterday&compare=none`);
	await tile(page, "Revenue\\s*€0.00").waitFor();
});

test("a report without visits shows the snippet to copy and leads to the doctor", async (t) => {
	const { page, context, goto } = await service.read(t);
	await context.grantPermissions(["clipboard-read", "clipboard-write"]);
	await goto("/sites/empty");
	const chart = page.getByRole("region", { name: "Figures over time" });
	await chart.getByText("No visits yet. Paste this code into the <head> of every page.").waitFor();
	await chart.getByRole("region", { name: "Snippet" }).getByText("/t.js?id=empty").waitFor();
	await chart.getByRole("button", { name: "Copy", exact: true }).click();
	await page.waitForFunction(async () => (await navigator.clipboard.readText()).includes("/t.js?id=empty"));
	await chart.getByRole("link", { name: "Check the installation" }).click();
	await page.getByText("Data accepted: waiting").waitFor();
});

test("goals and funnels without data offer an example, which is changed and saved", async (t) => {
	const { page, goto, api } = await service.open(t, "/sites/empty/goals");
	await page.getByRole("region", { name: "Progress" }).getByRole("button", { name: "Try an example" }).click();
	const goal = page.getByRole("dialog", { name: "New goal" });
	assert.equal(await goal.getByLabel("Name").inputValue(), "300 orders a month");
	assert.equal(await goal.getByLabel("Target").inputValue(), "300");
	await goal.getByLabel("Target").fill("400");
	await goal.getByRole("button", { name: "Create goal" }).click();
	await page.getByText("0 of 400").waitFor();
	await page.getByRole("region", { name: "Conversions" }).getByRole("button", { name: "Try an example" }).click();
	const tracked = page.getByRole("dialog", { name: "Count a page or event as a conversion" });
	assert.equal(await tracked.getByLabel("Page path").inputValue(), "/thank-you");
	await tracked.getByLabel("Conversion type").fill("signup");
	await tracked.getByRole("button", { name: "Add" }).click();
	await page.getByText("/thank-you → signup").waitFor();
	const { goals } = await api("GET /sites/{id}", "/sites/empty");
	assert.deepEqual(
		goals.map(({ pattern, conversion_type: type }) => [pattern, type]),
		[["/thank-you", "signup"]],
	);
	await goto("/sites/empty/funnels");
	await page.getByRole("button", { name: "/ → /thank-you" }).click();
	assert.equal(await page.getByLabel("Step 2", { exact: true }).inputValue(), "/thank-you");
	await page.getByText("No visits completed the first step in this period.").waitFor();
});

test("hits from a wrong domain are named, allowed with one click, and then counted; a failure to allow it is shown as one", async (t) => {
	const { page, api } = await service.open(t, "/sites/empty/settings/install", { meetsErrors: true });
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
	assert.deepEqual((await api("GET /sites/{id}", "/sites/empty")).domains, ["empty.example", "elsewhere.test"]);
	await visit(site);
	await page.getByText("Data accepted: done").waitFor();
});

const overview = "?site_id=shop&period=7d&compare=previous&compare_align=elapsed&series=entrances";

test("tiles, chart and table show what the API answers, and what it was before; arrow keys walk along the chart", async (t) => {
	const { page, goto, api } = await service.read(t);
	const answer = await api("GET /stats/overview", overview);
	const { traffic, conversions, traffic_change: earlier, entrances_series: series } = answer;
	await goto("/sites/shop?period=7d");
	for (const [name, figure] of [
		["Visits", whole.format(traffic.entrances)],
		["Visitors", whole.format(traffic.visitors)],
		["Page views", whole.format(traffic.page_views)],
		["Bounce rate", `${traffic.bounce_rate.toFixed(1)} %`],
		["Conversions", whole.format(conversions.conversions)],
		["Conversion rate", `${conversions.conversion_rate.toFixed(1)} %`],
	] as const)
		await tile(page, `${name}\\s*${figure}`).waitFor();
	await tile(page, "Visits")
		.getByTitle(`${whole.format(traffic.entrances)} · previous: ${whole.format(earlier?.entrances ?? 0)}`)
		.waitFor();
	const values = (series?.points ?? []).map(({ value }) => whole.format(value));
	const says = (text: string) => page.locator(`[role=slider][aria-valuetext^="${text}"]`).waitFor();
	await page.getByRole("slider").focus();
	await page.keyboard.press("Home");
	await says(`Sun, 15 Nov 2026: Visits ${values[0]}; Sun, 8 Nov 2026: `);
	await page.keyboard.press("ArrowRight");
	await says(`Mon, 16 Nov 2026: Visits ${values[1]}; `);
	await page.keyboard.press("End");
	await says("Sat, 21 Nov 2026 (up to 13:00): ");
	// The chart keeps its arrows: the period stayed.
	assert.equal(new URL(page.url()).search, "?period=7d");
	await page.getByRole("button", { name: "As a table" }).click();
	const rows = page.getByRole("table").first().getByRole("row");
	await rows.nth(values.length).waitFor();
	assert.equal(values.length, 7);
	assert.deepEqual(await rows.locator("td:nth-of-type(1)").allTextContents(), values);
});

test("a second metric has its line, survives a reload, and leaves when the reader goes back", async (t) => {
	const { page } = await service.open(t, "/sites/shop?period=7d");
	await tile(page, "Revenue").click({ modifiers: ["Shift"] });
	await addressed(page, "metric2=revenue");
	await page
		.getByRole("combobox", { name: "Second metric" })
		.and(page.locator(":has(option:checked[value=revenue])"))
		.waitFor();
	await tile(page, "Conversions").click();
	await addressed(page, "metric=conversions");
	await page.reload();
	await page.getByRole("heading", { name: "Conversions", level: 2 }).waitFor();
	await page.locator('button[aria-pressed="true"]', { hasText: "Revenue" }).waitFor();
	await page.goBack();
	await page.getByRole("heading", { name: "Visits", level: 2 }).waitFor();
	await page.goBack();
	await addressed(page, "metric2", false);
	await page.locator('button[aria-pressed="false"]', { hasText: "Revenue" }).waitFor();
});

test("the definition of a figure opens beside it and closes with Escape", async (t) => {
	const { page } = await service.open(t, "/sites/shop?period=7d");
	await strip(page).getByRole("button", { name: "About “Bounce rate”" }).click();
	const drawer = page.getByRole("dialog", { name: "Bounce rate" });
	await drawer.getByText("(entrances - engaged_entrances) / entrances x 100").waitFor();
	await drawer.getByText("WHERE site = 'shop' AND date BETWEEN '2026-11-15' AND '2026-11-21'").waitFor();
	await page.keyboard.press("Escape");
	await drawer.waitFor({ state: "hidden" });
	await addressed(page, "panel", false);
});
