import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Tables } from "../../../server/migrations/metadata/tables/index.ts";
import type { Request } from "../../../server/test/support/browser.ts";
import { type BrowserSite, openBrowserSite } from "../../../server/test/support/browser-site.ts";
import { fill } from "../support/acts.ts";
import { axeFaults } from "../support/axe.ts";
import { fits } from "../support/geometry.ts";
import { type Reader, settled, sharedDashboard } from "../support/open-dashboard.ts";

/** Pages of the partner's site; the embedding page is set once there is a link. */
const pages: Record<string, string> = {};
const service = sharedDashboard();
let partner: BrowserSite;
before(async () => {
	partner = await openBrowserSite("partner.test", pages);
});
after(() => partner?.close());

const password = "open sesame";
const settings = "/sites/shop/settings/sharing";
const share = (link: object) => service.send<{ url: string }>("POST /sites/shop/share-links", link);

/** Cookies that went along with what a page asked of the service below a path until this is called, navigations of the window itself apart. */
function cookiesSent({ page }: Reader, below = "/"): () => Promise<readonly string[]> {
	const asked: Promise<string | undefined>[] = [];
	const note = (request: Request) => {
		const isWindow = request.isNavigationRequest() && request.frame() === page.mainFrame();
		if (!isWindow && request.url().startsWith(service.root + below))
			asked.push(request.allHeaders().then((headers) => headers["cookie"]));
	};
	page.on("request", note);
	return async () => {
		page.off("request", note);
		assert.ok(asked.length > 3);
		return (await Promise.all(asked)).filter((cookie) => cookie !== undefined);
	};
}

test("the header leads an admin to the forms of a shared link and of an invitation", async (t) => {
	const { page, goto } = await service.read(t);
	for (const [name, dialog] of [
		["Share", "New shared link"],
		["Invite", "Invite"],
	] as const) {
		await goto("/sites/shop");
		await page.getByRole("link", { name, exact: true }).click();
		await page.getByRole("dialog", { name: dialog }).waitFor();
		await page.keyboard.press("Escape");
		await page.getByRole("dialog").waitFor({ state: "detached" });
	}
});

test("a link with a password is made, framed by a foreign page in the dark, read without a cookie, and switched off", async (t) => {
	const admin = await service.read(t, { meetsErrors: true });
	const { page } = admin;
	await admin.goto(settings);
	await page.getByRole("button", { name: "Share report" }).click();
	const form = page.getByRole("dialog", { name: "New shared link" });
	await form.getByLabel("Name").fill("For our partner");
	for (const list of ["Sources", "Browsers", "Goals", "Events"]) await form.getByLabel(list, { exact: true }).uncheck();
	await fill(form, { Password: password, "Websites that may embed it": "partner.test" });
	await form.getByRole("button", { name: "Create link" }).click();
	await form.getByText("Must be scheme, host and port").waitFor();
	await form.getByLabel("Websites that may embed it").fill(partner.origin);
	await form.getByRole("button", { name: "Create link" }).click();
	const made = page.getByRole("dialog", { name: "Link created" });
	const url = (await made.locator("code").first().textContent()) ?? "";
	await made.getByLabel("Appearance").selectOption("dark");
	await made.getByLabel("Hide map").check();
	const code = (await made.locator("code").nth(1).textContent()) ?? "";
	assert.match(code, /\/embed\/[A-Za-z0-9_-]{43}\?theme=dark&amp;hide=map"/);
	await page.frameLocator('iframe[title="Preview"]').getByText("This report is password-protected").waitFor();
	await made.getByRole("button", { name: "Done" }).click();
	assert.equal(await page.getByText(url).count(), 0);

	// The service of a test is not told its own address. Its reader is signed in here, and that must not matter.
	pages["/"] =
		`<!doctype html><html lang="en"><title>Partner</title><main>${code.replaceAll(new URL(url).origin, service.root)}</main></html>`;
	const reader = await service.read(t, { meetsErrors: true });
	const cookies = cookiesSent(reader);
	await reader.page.goto(`${partner.origin}/`);
	const frame = reader.page.frameLocator("#footfall");
	const enter = async (word: string) => {
		await frame.getByLabel("Password").fill(word);
		await frame.getByRole("button", { name: "Open" }).click();
	};
	await enter("open, please");
	await frame.getByText("Wrong password.").waitFor();
	await enter(password);
	const { traffic } = await admin.api("GET /stats/overview", "?site_id=shop&period=30d");
	const figures = frame.getByRole("region", { name: "Key metrics" });
	for (const figure of [traffic.entrances, traffic.page_views])
		await figures.getByTitle(figure.toLocaleString("en-GB")).first().waitFor();
	for (const there of ["Channels", "Devices"]) await frame.getByRole("tab", { name: there }).waitFor();
	await frame.getByRole("region", { name: "Hours and weekdays" }).scrollIntoViewIfNeeded();
	for (const absent of ["Sources", "Browsers", "Map", "Goals", "Events", "Properties"])
		assert.equal(await frame.getByRole("tab", { name: absent }).count(), 0, absent);
	assert.equal(await frame.getByRole("button", { name: /Filter|Copy as|Why|CSV|Settings/i }).count(), 0);
	const colour = await frame.locator("body").evaluate((body) => getComputedStyle(body).backgroundColor);
	assert.equal(colour, "rgb(16, 20, 24)");

	// The page makes room for all of it, on a desk and on a phone.
	await reader.page.waitForFunction(() => {
		const element = document.querySelector("iframe");
		return element !== null && Number.parseInt(element.style.height, 10) !== 1200;
	});
	const wide = await reader.page.locator("iframe").evaluate((element) => element.clientHeight);
	await reader.page.setViewportSize({ width: 390, height: 900 });
	await reader.page.waitForFunction((before) => (document.querySelector("iframe")?.clientHeight ?? 0) > before, wide);
	const inner = reader.page.frames().find((one) => one.url().includes("/embed/"));
	assert.ok(inner);
	await inner.waitForFunction(() => document.documentElement.scrollHeight <= document.documentElement.clientHeight + 1);
	assert.deepEqual(await cookies(), []);

	await admin.goto(settings);
	const item = page.getByRole("listitem").filter({ hasText: "For our partner" });
	await item.getByText("1 view").waitFor();
	await item.getByRole("button", { name: "Disable For our partner" }).click();
	await item.getByText("Disabled", { exact: true }).waitFor();
	await frame.getByRole("button", { name: "Earlier" }).click();
	await enter(password);
	await frame.getByText("This link no longer works").waitFor();
	await item.getByRole("button", { name: "Delete For our partner" }).click();
	const asked = page.getByRole("dialog", { name: "Delete For our partner" });
	await asked.getByLabel("Type").fill("For our partner");
	await asked.getByRole("button", { name: "Delete link" }).click();
	await page.getByText("No shared links yet.").waitFor();
});

test("a visitor of a link filters by the dimensions that it shows, and filters of an earlier address have no effect", async (t) => {
	const { url } = await share({ name: "Filters", lists: ["sources", "pages"], may_filter: true });
	const reader = await service.read(t);
	const cookies = cookiesSent(reader, "/api/");
	const { page } = reader;
	await reader.goto(`${new URL(url).pathname}?f=country:eq:ES&segment=mobile&panel=countries&lang=es`);
	await page.getByRole("button", { name: "Filtro" }).click();
	await page.getByLabel("Propiedad", { exact: true }).waitFor();
	const fields = await page.getByLabel("Propiedad", { exact: true }).locator("option").allInnerTexts();
	assert.deepEqual(fields, ["Fuente", "Página"]);
	await page.keyboard.press("Escape");
	await page.getByRole("button", { name: /^google / }).click();
	await page.getByRole("list", { name: "Filtros" }).getByText("google").waitFor();
	assert.deepEqual(new URL(page.url()).searchParams.getAll("f"), ["utm_source:eq:google"]);
	await page.getByRole("link", { name: "Ver todo: Páginas" }).click();
	await page.getByRole("dialog", { name: "Páginas" }).getByRole("searchbox").fill("pri");
	await page.waitForURL(/q=pri/);
	await page.getByRole("dialog").getByText("/pricing").first().waitFor();
	assert.deepEqual(await cookies(), []);
});

test("a range without the own address is not saved, and another address gets a page that says whom to ask", async (t) => {
	const outside = "192.0.2.99";
	const { page } = await service.open(t, "/sites/shop/settings/access", { meetsErrors: true });
	await page.getByText("Your IP address is 127.0.0.1. Not listed").waitFor();
	const rule = page.getByLabel("Allow access from listed addresses only");
	await rule.click();
	await page.getByText("Add your own address before you enable the allowlist.").waitFor();
	await page.getByRole("button", { name: "Add my address" }).click();
	await page.getByText("Allowed by 127.0.0.1.").waitFor();
	await rule.click();
	await page.getByText("Allowlist enabled.").waitFor();
	const own = page.getByRole("listitem").filter({ hasText: "127.0.0.1" });
	await own.getByRole("button", { name: "Delete" }).click();
	await page.getByText("The rule would lock out your own address").waitFor();

	const away = await service.read(t, { bypassCSP: true, width: 390, meetsErrors: true });
	const refused = away.page.getByRole("heading", { name: "Access from this IP address is not allowed" });
	await away.context.setExtraHTTPHeaders({ "X-Forwarded-For": outside });
	await away.goto("/sites/shop/goals");
	await refused.waitFor();
	await away.page.getByText(outside).waitFor();
	assert.deepEqual(await axeFaults(away.page), []);
	await fits(away.page, [390]);
	// Open pages learn of the new list at the first refused request.
	await away.context.setExtraHTTPHeaders({});
	await away.page.getByRole("button", { name: "Try again" }).click();
	await away.page.getByRole("heading", { name: "Goals", exact: true }).first().waitFor();
	await settled(away.page);
	await away.context.setExtraHTTPHeaders({ "X-Forwarded-For": outside });
	// Not by the link: any other request of the page is refused as well and removes the link.
	await away.goto("/sites/shop/explore");
	await refused.waitFor();

	await fill(page, { "Address, range or regular expression": "192.0.2.0/24", Name: "Train" });
	await page.getByRole("button", { name: "Add", exact: true }).click();
	await page.getByText("192.0.2.0/24 added.").waitFor();
	await away.page.getByRole("button", { name: "Try again" }).click();
	await away.page.getByRole("navigation", { name: "Screens" }).waitFor();
});

test("features outside the plan are named, and not offered", async (t) => {
	const { page, goto } = await service.read(t);
	await service.app.metadata.withTables<Tables>().updateTable("organizations").set({ plan_tier: "free" }).execute();
	await goto("/sites/empty/settings/access");
	await page.getByText("This site's plan doesn't include the IP allowlist.").waitFor();
	assert.equal(await page.getByRole("button", { name: "Add several" }).count(), 0);
	assert.equal(await page.getByLabel("Allow access from listed addresses only").isDisabled(), true);
	await goto("/sites/empty/settings/webhooks");
	await page.getByText("This site's plan doesn't include webhooks.").waitFor();
	assert.equal(await page.getByRole("button", { name: "New endpoint" }).count(), 0);
});
