import assert from "node:assert/strict";
import { test } from "node:test";
import { createSite } from "../../../server/test/support/accounts.ts";
import { sendHits } from "../../../server/test/support/hits.ts";
import { frames, savedBy, tabTo } from "../support/acts.ts";
import { type Reader, sharedDashboard } from "../support/open-dashboard.ts";

const service = sharedDashboard();

const days = "site_id=shop&period=30d";
const google = encodeURIComponent(
	JSON.stringify({ conditions: [{ field: "utm_source", operator: "in", value: ["google"] }] }),
);
const card = ({ page }: Reader) => page.getByRole("region", { name: "Sources" });
const mobile = ({ page }: Reader) =>
	page.getByRole("region", { name: "Devices" }).getByRole("button", { name: /^Mobile / });
const chips = ({ page }: Reader) => page.getByRole("list", { name: "Filters" }).getByRole("listitem");
/** The filters of the address. */
const filters = ({ page }: Reader) => new URL(page.url()).searchParams.getAll("f");

test("a click on a row filters the report, Alt leaves the row out, a chip is edited where it stands, back undoes it, and the filters are kept as a segment", async (t) => {
	const reader = await service.open(t, "/sites/shop");
	const { page, api } = reader;
	await card(reader).getByRole("tab", { name: "Sources" }).click();
	await card(reader)
		.getByRole("button", { name: /^google / })
		.click();
	await chips(reader).filter({ hasText: "Source is google" }).waitFor();
	const { data } = await api("GET /stats/pages", `?${days}&segment_filters=${google}`);
	const views = Number(data[0]?.page_views).toLocaleString("en-GB");
	const pages = page.getByRole("region", { name: "Pages" });
	await pages.getByRole("button", { name: `${data[0]?.path} ${views}` }).waitFor();

	await mobile(reader).click({ modifiers: ["Alt"] });
	await chips(reader).filter({ hasText: "Device is not Mobile" }).waitFor();
	await chips(reader).filter({ hasText: "Source is google" }).getByRole("button").first().click();
	await page.getByRole("combobox", { name: "Value" }).fill("bing");
	await page.getByRole("button", { name: "Apply" }).click();
	await chips(reader).filter({ hasText: "Source is bing" }).waitFor();
	assert.deepEqual(filters(reader), ["utm_source:eq:bing", "device_type:ne:mobile"]);
	await page.goBack();
	await chips(reader).filter({ hasText: "Source is google" }).waitFor();
	await page.keyboard.press("Escape");
	await chips(reader).first().waitFor({ state: "detached" });
	await page.getByRole("button", { name: "Undo" }).click();
	await chips(reader).filter({ hasText: "Device is not Mobile" }).waitFor();
	await page.getByRole("button", { name: "Save as segment" }).click();
	await page.getByRole("textbox", { name: "Name" }).fill("Google & desks");
	await page.getByRole("button", { name: "Save", exact: true }).click();
	await page.waitForURL(/segment=google-desks/);
	await page.getByRole("button", { name: "Segment: Google & desks" }).click();
	await page.getByRole("button", { name: "No segment" }).click();
	await page.getByRole("button", { name: "Segment", exact: true }).waitFor();
	assert.equal(new URL(page.url()).search, "");
});

test("a filter by a property of events is made in the panel, and a click on a value of the properties changes it", async (t) => {
	const reader = await service.open(t, "/sites/shop");
	const { page, api } = reader;
	await page.getByRole("button", { name: "Filter" }).first().click();
	await page.locator('optgroup[label="Custom properties"] option[value="property.sku"]').waitFor({ state: "attached" });
	await page.getByLabel("Property", { exact: true }).selectOption("coupon");
	await page.locator('datalist option[value="SPRING15"]').waitFor({ state: "attached" });
	await page.getByRole("combobox", { name: "Value" }).fill("spring15");
	await page.getByRole("button", { name: "Apply" }).click();
	await chips(reader).filter({ hasText: "coupon is SPRING15" }).waitFor();
	assert.deepEqual(filters(reader), ["property.coupon:eq:SPRING15"]);
	const { traffic } = await api("GET /stats/overview", `?${days}&filters=property.coupon:eq:SPRING15`);
	assert.ok(traffic.entrances > 0);
	await page.getByRole("button", { name: `Visits ${traffic.entrances}` }).waitFor();

	await reader.goto("/sites/shop/goals/properties?view=key:plan");
	const values = page.getByRole("region", { name: "Values of “plan”" });
	const free = values.getByRole("button", { name: "free" }).first();
	await free.click();
	await chips(reader).filter({ hasText: "plan is free" }).waitFor();
	assert.deepEqual(filters(reader), ["property.plan:eq:free"]);
	await values.getByRole("button", { name: "club" }).first().waitFor({ state: "detached" });
	await free.click();
	await chips(reader).first().waitFor({ state: "detached" });
});

const onScreen = ["channels", "overview", "pages"];
const afterwards = ["devices/types", "explain"];

test("a row that is pressed asks for what is on the screen before it is clicked, and one that moves under the pointer asks for nothing", async (t) => {
	const reader = await service.read(t);
	const { page } = reader;
	/** Endpoints that the page requests in batches. */
	const asked: (readonly string[])[] = [];
	page.on("request", (request) => {
		if (!request.url().endsWith("/api/v1/batch")) return;
		const { queries } = request.postDataJSON() as { readonly queries: readonly { readonly endpoint: string }[] };
		asked.push(queries.map(({ endpoint }) => endpoint.replace("/stats/", "")).sort());
	});
	const asksFor = async (isAsked: () => boolean) => {
		while (!isAsked()) await page.waitForEvent("request");
	};
	await reader.goto("/sites/shop");
	await asksFor(() => afterwards.every((name) => asked.flat().includes(name)));
	await mobile(reader).waitFor();
	asked.length = 0;
	const { promise: held, resolve: answer } = Promise.withResolvers<void>();
	await page.route("**/api/v1/batch", async (route) => {
		await held;
		await route.continue();
	});
	await card(reader).getByRole("listitem").nth(2).getByRole("button").first().hover();
	await page.mouse.down();
	await asksFor(() => asked.length === 1);
	assert.deepEqual(asked, [onScreen]);
	assert.equal(await chips(reader).count(), 0);
	await page.mouse.up();
	await chips(reader).filter({ hasText: "Channel is " }).waitFor();
	// The chips have moved the rows; a pointer that had come to one by itself would have asked by now.
	await frames(page);
	assert.deepEqual(asked, [onScreen]);
	answer();
	// What lies below the screen, and what explains the figures.
	await asksFor(() => asked.flat().length === 5);
	assert.deepEqual(asked.slice(1).flat().sort(), afterwards);
});

test("a list opens with all its rows, searched and ordered by the address, and its file holds what the API answers", async (t) => {
	const { page, api } = await service.open(t, "/sites/shop?compare=none");
	await page.getByRole("link", { name: "Show all: Pages" }).click();
	const drawer = page.getByRole("dialog", { name: "Pages" });
	await drawer.getByRole("searchbox", { name: "Search" }).fill("/s");
	await page.waitForURL(/q=\/s/);
	await drawer.getByRole("button", { name: "Visits", exact: true }).click();
	await page.waitForURL(/sort=-entrances/);
	const wanted = "path_filter=/s&sort_by=entrances&page_size=100&include=visitors";
	const { data, total } = await api("GET /stats/pages", `?${days}&${wanted}`);
	assert.ok(total > 1);
	await drawer.getByText(`of ${total}`).waitFor();
	const columns = ["path", "page_views", "entrances", "visitors"] as const;
	const rows = data.map((row) => columns.map((column) => row[column]).join(","));
	const file = await savedBy(page, () => drawer.getByRole("button", { name: "Save these rows as a CSV file" }).click());
	assert.equal(file, `${[columns.join(","), ...rows].join("\r\n")}\r\n`);
	await page.reload();
	await drawer.getByText(`of ${total}`).waitFor();
	assert.equal(await drawer.getByRole("searchbox", { name: "Search" }).inputValue(), "/s");
	// Columns are chosen, and the address keeps the choice.
	await drawer.getByRole("button", { name: "Columns" }).click();
	await page.getByRole("checkbox", { name: "Visitors" }).uncheck();
	await page.waitForURL(/view=hide:visitors/);
	assert.equal(await drawer.getByRole("columnheader", { name: "Visitors" }).count(), 0);
	await drawer.getByRole("columnheader", { name: "Visits" }).waitFor();
});

test("a page is listed, filtered by and searched as it is read, and the address keeps the path as it is stored", async (t) => {
	const site = await createSite(service.app, service.ann, { name: "Mill" });
	await sendHits(service.app, [{ site, url: "https://shop.example/%c3%a9t%c3%a9/" }]);
	const reader = await service.open(t, `/sites/${site}?compare=none`);
	const { page } = reader;
	await page.getByRole("tab", { name: "Campaigns" }).waitFor();
	// A tab for terms is there only where links have some.
	assert.equal(await page.getByRole("tab", { name: "Terms" }).count(), 0);
	await page
		.getByRole("region", { name: "Pages" })
		.getByRole("button", { name: /^\/été\/ / })
		.click();
	await chips(reader).filter({ hasText: "Page is /été/" }).waitFor();
	assert.deepEqual(filters(reader), ["path:eq:/%C3%A9t%C3%A9/"]);
	await page.getByRole("link", { name: "Show all: Pages" }).click();
	const drawer = page.getByRole("dialog", { name: "Pages" });
	await drawer.getByRole("searchbox", { name: "Search" }).fill("été");
	await drawer.getByText("of 1").waitFor();
});

test("by keys alone: a list is chosen, filters, leaves out, opens and is searched", async (t) => {
	const reader = await service.open(t, "/sites/shop?compare=none");
	const { page } = reader;
	// Where no card has the focus, the first one is searched.
	await page.keyboard.press("/");
	await page.getByRole("dialog", { name: "Channels" }).waitFor();
	await page.keyboard.press("Escape");
	await page.waitForURL((url) => !url.searchParams.has("panel"));
	await tabTo(page, "Channels");
	for (const [key, tab] of [
		["ArrowRight", "Sources"],
		["ArrowRight", "Medium"],
		["Home", "Channels"],
		["ArrowRight", "Sources"],
	] as const) {
		await page.keyboard.press(key);
		await page.getByRole("tab", { name: tab, selected: true }).waitFor();
	}
	await tabTo(page, /^google /);
	await page.keyboard.press("Enter");
	await page.waitForURL((url) => url.search.includes("google"));
	assert.deepEqual(filters(reader), ["utm_source:eq:google"]);
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
	await tabTo(page, /^\/s/);
	await page.keyboard.press("Enter");
	await page.waitForURL((url) => url.searchParams.getAll("f").length === 2);
	await drawer.waitFor({ state: "detached" });
});

test("by touch and in Spanish: a row filters, its chip lets it go, and what has no room in the bar is below More", async (t) => {
	const { page } = await service.open(t, "/sites/shop?period=7d", {
		width: 390,
		height: 844,
		hasTouch: true,
		language: "es",
	});
	const sources = page.getByRole("region", { name: "Fuentes" });
	await sources.getByRole("tab", { name: "Fuentes" }).tap();
	await sources.getByRole("button", { name: /^google / }).tap();
	const filtered = page.getByRole("list", { name: "Filtros" }).getByRole("listitem");
	await filtered.filter({ hasText: "google" }).waitFor();
	await filtered.getByRole("button", { name: /^Quitar/ }).tap();
	await filtered.first().waitFor({ state: "detached" });
	assert.equal(new URL(page.url()).search, "?period=7d");
	await page.getByRole("button", { name: "Más", exact: true }).tap();
	await page.getByRole("link", { name: "Bots" }).tap();
	await page.getByRole("heading", { level: 1, name: "Bots" }).waitFor();
});

test("a cause below the chart filters by a click, and the causes are told anew under the filter; without a comparison one is offered", async (t) => {
	const { page, goto } = await service.open(t, "/sites/shop?period=7d");
	const line = page.getByRole("region", { name: "Drivers of the change" });
	await line.getByRole("button").first().click();
	await page.waitForURL((url) => url.searchParams.has("f"));
	await line.getByText(/of the change\.|All values changed alike\./).waitFor();
	await line.getByRole("link", { name: "See what changed" }).click();
	await page.waitForURL((url) => url.pathname === "/sites/shop/why" && url.searchParams.has("f"));
	await goto("/sites/shop/why?period=7d&compare=none");
	await page.getByRole("button", { name: "Compare with previous period" }).click();
	await page.getByRole("region", { name: "Source" }).waitFor();
	assert.equal(new URL(page.url()).search, "?period=7d");
});

test("lists, chart, hours, causes, goals, funnels and pivots are copied as rows, command, SQL or question with days and filters", async (t) => {
	const { page, context, load } = await service.read(t);
	await context.grantPermissions(["clipboard-read", "clipboard-write"]);
	const copied = async (about: string, way: string) => {
		const button = page.getByRole("button", { name: `Copy as: ${about}`, exact: true });
		await button.scrollIntoViewIfNeeded();
		await button.click();
		await page.getByRole("button", { name: way, exact: true }).click();
		await page.getByText(`Copied: ${way}`).waitFor();
		return page.evaluate(() => navigator.clipboard.readText());
	};
	// Loaded each time, so that the toast of the previous copy is gone.
	await load("/sites/shop?period=7d&compare=none&f=country:eq:ES");
	await page.getByRole("tab", { name: "Sources" }).click();
	assert.match(await copied("Sources", "SQL of the query"), /^SELECT utm_source,[\s\S]*\nGROUP BY utm_source/);
	assert.equal(
		await copied("Sources", "Question for an assistant"),
		"Look at “Sources” of the site Shop (shop), 15 – 21 Nov, with the filters country:eq:ES. What stands out?",
	);
	const questions: readonly (readonly [path: string, about: string, way: string, text: RegExp])[] = [
		["?period=7d&compare=none", "Visits", "CSV of the data", /^date,entrances\r\n2026-11-15,\d+\r\n2026-11-16,\d+\r\n/],
		["?period=7d", "Hours and weekdays", "curl command", /'\{.*"dimensions":\["day_of_week","hour"\]/],
		["/why?period=7d", "Device", "CSV of the data", /^dimension,value,now,.*\r\ndevice_type,/],
		["/goals?period=7d", "Conversions", "CSV of the data", /^conversion_type,count,.*\r\npurchase,/],
		["/funnels?view=page:/&view=event:purchase", "Visits by step", "curl command", /"steps":\["\/","purchase"\]/],
		["/explore?view=row:os&view=fig:entrances", "Result", "CSV of the data", /^os,entrances\r\n\w+,\d/],
	];
	for (const [path, about, way, text] of questions) {
		await load(`/sites/shop${path}`);
		if (about.startsWith("Hours")) await page.getByRole("region", { name: about }).scrollIntoViewIfNeeded();
		assert.match(await copied(about, way), text);
	}
});
