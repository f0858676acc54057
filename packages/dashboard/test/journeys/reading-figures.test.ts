import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type DashboardService, openDashboard, type Reader } from "../support/open-dashboard.ts";

interface Overview {
	readonly traffic: { readonly entrances: number };
}

let service: DashboardService;
before(async () => {
	service = await openDashboard();
});
after(() => service?.close());

const asked = encodeURIComponent(
	JSON.stringify({ conditions: [{ field: "utm_source", operator: "in", value: ["google"] }] }),
);

test("by touch and in Spanish: a row filters, the period changes, another figure is drawn, and back undoes it", async () => {
	const { page, goto, api, leave } = await service.read({ width: 390, height: 844, hasTouch: true, language: "es" });
	await goto("/sites/shop");
	const sources = page.getByRole("region", { name: "Fuentes" });
	await sources.getByRole("tab", { name: "Fuentes" }).tap();
	await sources.getByRole("button", { name: /^google / }).tap();
	const chips = page.getByRole("list", { name: "Filtros" }).getByRole("listitem");
	await chips.filter({ hasText: "google" }).waitFor();

	await page.getByRole("button", { name: /^Periodo: / }).tap();
	await page.getByRole("button", { name: /^Últimos 7 días/ }).tap();
	await page.waitForURL(/period=7d/);
	const { traffic } = await api<Overview>(`/stats/overview?site_id=shop&period=7d&segment_filters=${asked}`);
	const strip = page.locator("main section").first();
	const visits = new Intl.NumberFormat("es-ES").format(traffic.entrances);
	await strip.getByRole("button", { name: new RegExp(`^Visitas\\s*${visits}`) }).waitFor();

	await strip.getByRole("button", { name: /^Conversiones/ }).tap();
	await page.waitForURL(/metric=conversions/);
	await page.goBack();
	await page.waitForURL((url) => !url.search.includes("metric="));
	await chips.getByRole("button", { name: /^Quitar/ }).tap();
	await chips.first().waitFor({ state: "detached" });
	assert.equal(new URL(page.url()).search, "?period=7d");
	await leave();
});

test("what has no room in the bar is below More", async () => {
	const { page, goto, leave } = await service.read({ width: 390, height: 844, hasTouch: true });
	await goto("/sites/shop");
	await page.getByRole("button", { name: "More", exact: true }).tap();
	await page.getByRole("link", { name: "Bots" }).tap();
	await page.getByRole("heading", { level: 1, name: "Bots" }).waitFor();
	await page.waitForURL("**/sites/shop/bots");
	await leave();
});

test("a cause below the chart filters by a click, and the causes are told anew under the filter", async () => {
	const { page, goto, leave } = await service.read();
	await goto("/sites/shop?period=7d");
	const line = page.getByRole("region", { name: "Drivers of the change" });
	const chip = line.getByRole("button").first();
	await chip.waitFor();
	await chip.click();
	await page.waitForURL((url) => url.searchParams.has("f"));
	await line.getByText(/of the change\.|All values changed alike\./).waitFor();
	await line.getByRole("link", { name: "See what changed" }).click();
	await page.waitForURL((url) => url.pathname === "/sites/shop/why" && url.searchParams.has("f"));
	await page.getByRole("heading", { name: "Why?", level: 1 }).waitFor();
	await leave();
});

test("changes of all values of a dimension add up to the change of the figure", async () => {
	const { page, goto, leave } = await service.read();
	await goto("/sites/shop/why?period=7d&metric=page_views");
	const total = page.locator("p", { has: page.locator("strong", { hasText: "Page views:" }) }).locator("b");
	const whole = Number((await total.textContent())?.replaceAll(/[+,]/g, ""));
	const changes = await page
		.getByRole("region", { name: "Device" })
		.getByTitle(/previously/)
		.allTextContents();
	assert.ok(changes.length > 1);
	assert.equal(
		changes.reduce((sum, text) => sum + Number(text.replaceAll(/[+,]/g, "")), 0),
		whole,
	);
	await leave();
});

test("without a comparison the screen offers one", async () => {
	const { page, goto, leave } = await service.read();
	await goto("/sites/shop/why?period=7d&compare=none");
	await page.getByRole("button", { name: "Compare with previous period" }).click();
	await page.getByRole("region", { name: "Source" }).waitFor();
	assert.equal(new URL(page.url()).search, "?period=7d");
	await leave();
});

/** The clipboard's text after one of the copy actions of a tile. */
async function copied({ page }: Reader, about: string, way: string): Promise<string> {
	const button = page.getByRole("button", { name: `Copy as: ${about}`, exact: true });
	await button.scrollIntoViewIfNeeded();
	await button.click();
	await page.getByRole("button", { name: way, exact: true }).click();
	await page.getByText(`Copied: ${way}`).waitFor();
	return page.evaluate(() => navigator.clipboard.readText());
}

async function readerWithClipboard(): Promise<Reader> {
	const reader = await service.read();
	await reader.context.grantPermissions(["clipboard-read", "clipboard-write"]);
	return reader;
}

interface Sources {
	readonly data: readonly { readonly utm_source: string; readonly entrances: number; readonly revenue: number }[];
}

test("a list is copied as its rows, the command, the SQL that was asked, and a question that names days and filters", async () => {
	const reader = await readerWithClipboard();
	await reader.goto("/sites/shop?period=7d&compare=none&f=country:eq:ES");
	await reader.page.getByRole("tab", { name: "Sources" }).click();
	const asked = encodeURIComponent(
		JSON.stringify({ conditions: [{ field: "country", operator: "in", value: ["ES"] }] }),
	);
	const path = `/stats/sources?site_id=shop&period=7d&segment_filters=${asked}`;
	const { data } = await reader.api<Sources>(`${path}&page_size=100`);
	const lines = (await copied(reader, "Sources", "CSV of the data")).split("\r\n");
	const [head = "", first = ""] = lines;
	assert.match(head, /^utm_source,entrances,page_views,.*revenue$/);
	assert.equal(lines.length, data.length + 2);
	assert.ok(first.startsWith(`${data[0]?.utm_source},${data[0]?.entrances},`), first);
	const command = await copied(reader, "Sources", "curl command");
	assert.ok(
		command.startsWith(`curl -H "X-API-Key: $KEY" '${service.root}/api/v1/stats/sources?site_id=shop&period=7d`),
	);
	assert.match(await copied(reader, "Sources", "SQL of the query"), /^SELECT utm_source,[\s\S]*\nGROUP BY utm_source/);
	assert.equal(
		await copied(reader, "Sources", "Question for an assistant"),
		"Look at “Sources” of the site Shop (shop), 15 – 21 Nov, with the filters country:eq:ES. What stands out?",
	);
	await reader.leave();
});

test("hours, causes, goals, a funnel and a pivot are copied with what the API answers", async () => {
	const reader = await readerWithClipboard();
	// Loaded each time, so that the toast of the previous copy is gone.
	await reader.load("/sites/shop?period=7d");
	await reader.page.getByRole("region", { name: "Hours and weekdays" }).scrollIntoViewIfNeeded();
	const hours = await copied(reader, "Hours and weekdays", "curl command");
	assert.match(hours, /stats\/query\?site_id=shop' -d '\{.*"dimensions":\["day_of_week","hour"\]/);
	await reader.load("/sites/shop/why?period=7d");
	assert.match(await copied(reader, "Device", "CSV of the data"), /^dimension,value,now,.*\r\ndevice_type,/);
	await reader.load("/sites/shop/goals?period=7d");
	assert.match(await copied(reader, "Conversions", "CSV of the data"), /^conversion_type,count,.*\r\npurchase,/);
	await reader.load("/sites/shop/funnels?period=7d&view=page:/&view=event:purchase");
	assert.match(await copied(reader, "Visits by step", "curl command"), /"steps":\["\/","purchase"\]/);
	await reader.load("/sites/shop/explore?period=7d&view=row:device_type&view=fig:entrances");
	const pivot = await copied(reader, "Result", "CSV of the data");
	assert.match(pivot, /^device_type,entrances\r\n(mobile|desktop),\d+\r\n/);
	await reader.leave();
});
