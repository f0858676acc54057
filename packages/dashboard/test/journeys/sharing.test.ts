import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Request } from "../../../server/test/support/browser.ts";
import { type BrowserSite, openBrowserSite } from "../../../server/test/support/browser-site.ts";
import { type DashboardService, openDashboard, type Reader } from "../support/open-dashboard.ts";

/** Pages of the partner's site; the embedding page is set once there is a link. */
const pages: Record<string, string> = {};
let service: DashboardService;
let partner: BrowserSite;
before(async () => {
	[service, partner] = await Promise.all([openDashboard(), openBrowserSite("partner.test", pages)]);
});
after(async () => {
	await service?.close();
	await partner?.close();
});

const password = "open sesame";
const settings = "/sites/shop/settings/sharing";

interface Overview {
	readonly traffic: { readonly entrances: number; readonly page_views: number };
}

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

test("a link with a password is made, framed by a foreign page in the dark, read without a cookie, and switched off", async () => {
	const admin = await service.read();
	const { page } = admin;
	await admin.goto(settings);
	await page.getByRole("button", { name: "Share report" }).click();
	const form = page.getByRole("dialog", { name: "New shared link" });
	await form.getByLabel("Name").fill("For our partner");
	for (const list of ["Sources", "Browsers", "Goals", "Events"]) await form.getByLabel(list, { exact: true }).uncheck();
	await form.getByLabel("Password").fill("short");
	await form.getByLabel("Websites that may embed it").fill("partner.test");
	await form.getByLabel("Password").fill(password);
	await form.getByRole("button", { name: "Create link" }).click();
	await form.getByText("Must be scheme, host and port").waitFor();
	await form.getByLabel("Websites that may embed it").fill(partner.origin);
	await form.getByRole("button", { name: "Create link" }).click();

	const made = page.getByRole("dialog", { name: "Link created" });
	const url = (await made.locator("code").first().textContent()) ?? "";
	assert.match(url, /\/share\/[A-Za-z0-9_-]{43}$/);
	await made.getByLabel("Appearance").selectOption("dark");
	await made.getByLabel("Hide map").check();
	const code = (await made.locator("code").nth(1).textContent()) ?? "";
	assert.match(code, /\/embed\/[A-Za-z0-9_-]{43}\?theme=dark&amp;hide=map"/);
	await page.frameLocator('iframe[title="Preview"]').getByText("This report is password-protected").waitFor();
	await made.getByRole("button", { name: "Done" }).click();
	assert.equal(await page.getByText(url).count(), 0);
	// The address can be shown again.
	await page.getByRole("button", { name: "Link of For our partner" }).click();
	const again = page.getByRole("dialog", { name: "Link of For our partner" });
	assert.equal(await again.locator("code").first().textContent(), url);
	await again.getByLabel("Appearance").selectOption("dark");
	await again.getByLabel("Hide map").check();
	assert.equal(await again.locator("code").nth(1).textContent(), code);
	await again.getByRole("button", { name: "Done" }).click();

	// The service of a test is not told its own address. Its reader is signed in here, and that must not matter.
	pages["/"] =
		`<!doctype html><html lang="en"><title>Partner</title><main>${code.replaceAll(new URL(url).origin, service.root)}</main></html>`;
	const reader = await service.read();
	const cookies = cookiesSent(reader);
	await reader.page.goto(`${partner.origin}/`);
	const frame = reader.page.frameLocator("#footfall");
	await frame.getByLabel("Password").fill("open, please");
	await frame.getByRole("button", { name: "Open" }).click();
	await frame.getByText("Wrong password.").waitFor();
	await frame.getByLabel("Password").fill(password);
	await frame.getByRole("button", { name: "Open" }).click();
	const { traffic } = await admin.api<Overview>("/stats/overview?site_id=shop&period=30d");
	const figures = frame.getByRole("region", { name: "Key metrics" });
	await figures.getByTitle(traffic.entrances.toLocaleString("en-GB")).first().waitFor();
	await figures.getByTitle(traffic.page_views.toLocaleString("en-GB")).first().waitFor();

	await frame.getByRole("tab", { name: "Channels" }).waitFor();
	await frame.getByRole("tab", { name: "Devices" }).waitFor();
	await frame.getByRole("region", { name: "Hours and weekdays" }).scrollIntoViewIfNeeded();
	await frame.getByText("Hours and weekdays").waitFor();
	for (const absent of ["Sources", "Browsers", "Map", "Goals", "Events", "Properties"])
		assert.equal(await frame.getByRole("tab", { name: absent }).count(), 0, absent);
	for (const absent of ["Filter", "Copy as", "Why", "CSV", "Settings"])
		assert.equal(await frame.getByRole("button", { name: absent }).count(), 0, absent);
	assert.equal(await frame.locator("html").getAttribute("data-theme"), "dark");
	const colour = await frame.locator("body").evaluate((body) => getComputedStyle(body).backgroundColor);
	assert.equal(colour, "rgb(16, 20, 24)");

	// The page makes room for all of it, on a desk and on a phone.
	const roomFor = () =>
		reader.page.waitForFunction(() => {
			const element = document.querySelector("iframe");
			return element !== null && Number.parseInt(element.style.height, 10) !== 1200;
		});
	await roomFor();
	const height = () => reader.page.locator("iframe").evaluate((element) => element.clientHeight);
	const wide = await height();
	await reader.page.setViewportSize({ width: 390, height: 900 });
	await reader.page.waitForFunction((before) => (document.querySelector("iframe")?.clientHeight ?? 0) > before, wide);
	const scrolls = await frame.locator("html").evaluate((html) => html.scrollHeight > html.clientHeight + 1);
	assert.equal(scrolls, false);
	assert.deepEqual(await cookies(), []);

	await admin.goto(settings);
	const item = page.getByRole("listitem").filter({ hasText: "For our partner" });
	await item.getByText("1 view").waitFor();
	await item.getByRole("button", { name: "Disable For our partner" }).click();
	await item.getByText("Disabled", { exact: true }).waitFor();
	await frame.getByRole("button", { name: "Earlier" }).click();
	await frame.getByLabel("Password").fill(password);
	await frame.getByRole("button", { name: "Open" }).click();
	await frame.getByText("This link no longer works").waitFor();
	await reader.context.close();
	await page.getByRole("button", { name: "Undo" }).click();
	await item.getByText("Active", { exact: true }).waitFor();
	await item.getByRole("button", { name: "Delete For our partner" }).click();
	const asked = page.getByRole("dialog", { name: "Delete For our partner" });
	await asked.getByLabel("Type").fill("For our partner");
	await asked.getByRole("button", { name: "Delete link" }).click();
	await page.getByText("No shared links yet.").waitFor();
	const stranger = await service.read({ isStranger: true });
	await stranger.goto(new URL(url).pathname);
	await stranger.page.getByText("This link no longer works").waitFor();
	await stranger.leave();
});

test("whoever may filter does so by what the link shows, and what was in the address before counts for nothing", async () => {
	const answer = await service.app.inject({
		method: "POST",
		url: "/api/v1/sites/shop/share-links",
		headers: service.ann.headers,
		payload: { name: "Filters", lists: ["sources", "pages"], may_filter: true },
	});
	const { pathname } = new URL(answer.json().data.url);
	const reader = await service.read();
	const cookies = cookiesSent(reader, "/api/");
	const { page } = reader;
	await reader.goto(`${pathname}?f=country:eq:ES&segment=mobile&panel=countries&lang=es`);
	await page.getByRole("button", { name: "Filtro" }).click();
	await page.getByLabel("Propiedad", { exact: true }).waitFor();
	const fields = await page.getByLabel("Propiedad", { exact: true }).locator("option").allInnerTexts();
	assert.deepEqual(fields, ["Fuente", "Página"]);
	await page.keyboard.press("Escape");
	await page.getByRole("button", { name: /^google / }).click();
	await page.getByRole("list", { name: "Filtros" }).getByText("google").waitFor();
	assert.deepEqual(new URL(page.url()).searchParams.getAll("f"), ["utm_source:eq:google"]);
	assert.equal(new URL(page.url()).searchParams.get("lang"), "es");
	await page.getByRole("link", { name: "Ver todo: Páginas" }).click();
	await page.getByRole("dialog", { name: "Páginas" }).getByRole("searchbox").fill("pri");
	await page.waitForURL(/q=pri/);
	await page.getByRole("dialog").getByText("/pricing").first().waitFor();
	assert.deepEqual(await cookies(), []);
	await reader.leave();
});

test("an address that has got about is renewed: the one before shows nothing, the new one stands there", async () => {
	const { headers } = service.ann;
	const links = "/api/v1/sites/shop/share-links";
	const { id, url } = (
		await service.app.inject({ method: "POST", url: links, headers, payload: { name: "Got about" } })
	).json().data;
	const admin = await service.read();
	const { page } = admin;
	await admin.goto(settings);
	await page.getByRole("button", { name: "Link of Got about" }).click();
	const shown = page.getByRole("dialog", { name: "Link of Got about" });
	assert.equal(await shown.locator("code").textContent(), url);
	await shown.getByText("Embedding is off.").waitFor();
	await shown.getByRole("button", { name: "New link address" }).click();
	const asked = page.getByRole("dialog", { name: "New link address for Got about" });
	await asked.getByRole("button", { name: "New link address" }).click();
	const made = page.getByRole("dialog", { name: "Link created" });
	const renewed = (await made.locator("code").textContent()) ?? "";
	assert.match(renewed, /\/share\/[A-Za-z0-9_-]{43}$/);
	assert.notEqual(renewed, url);
	await admin.leave();
	const reader = await service.read({ isStranger: true });
	await reader.goto(new URL(renewed).pathname);
	await reader.page.getByRole("region", { name: "Key metrics" }).waitFor();
	await reader.goto(new URL(url).pathname);
	await reader.page.getByText("This link no longer works").waitFor();
	await reader.leave();
	await service.app.inject({ method: "DELETE", url: `${links}/${id}`, headers });
});
