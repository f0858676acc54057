import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { createSite } from "../../../server/test/support/accounts.ts";
import { sendHits } from "../../../server/test/support/hits.ts";
import { until } from "../../../server/test/support/until.ts";
import { type DashboardService, openDashboard, type Reader } from "../support/open-dashboard.ts";

let service: DashboardService;
before(async () => {
	service = await openDashboard();
});
after(() => service?.close());

interface Rows {
	readonly data: readonly Readonly<Record<string, string | number>>[];
	readonly total: number;
}

const days = "site_id=shop&period=30d";
const card = ({ page }: Reader) => page.getByRole("region", { name: "Sources" });
const chips = ({ page }: Reader) => page.getByRole("list", { name: "Filters" }).getByRole("listitem");
/** The filters of the address. */
const filters = ({ page }: Reader) => new URL(page.url()).searchParams.getAll("f");

test("a click on a row filters the report, Alt leaves the row out, a chip is edited where it stands, and back undoes it", async () => {
	const reader = await service.read();
	const { page, goto, api, leave } = reader;
	await goto("/sites/shop");
	await card(reader).getByRole("tab", { name: "Sources" }).click();
	await card(reader)
		.getByRole("button", { name: /^google / })
		.click();
	await chips(reader).filter({ hasText: "Source is google" }).waitFor();
	assert.deepEqual(filters(reader), ["utm_source:eq:google"]);

	const asked = encodeURIComponent(
		JSON.stringify({ conditions: [{ field: "utm_source", operator: "in", value: ["google"] }] }),
	);
	const { data } = await api<Rows>(`/stats/pages?${days}&segment_filters=${asked}`);
	const views = Number(data[0]?.["page_views"]).toLocaleString("en-GB");
	const pages = page.getByRole("region", { name: "Pages" });
	await pages.getByRole("button", { name: `${data[0]?.["path"]} ${views}` }).waitFor();

	await page
		.getByRole("region", { name: "Devices" })
		.getByRole("button", { name: /^Mobile / })
		.click({ modifiers: ["Alt"] });
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
	await leave();
});

/** Endpoints that a page requests in batches until the reader leaves; the initial requests are answered. */
async function opened(reader: Reader) {
	const asked: (readonly string[])[] = [];
	reader.page.on("request", (request) => {
		if (!request.url().endsWith("/api/v1/batch")) return;
		const { queries } = request.postDataJSON() as { readonly queries: readonly { readonly endpoint: string }[] };
		asked.push(queries.map(({ endpoint }) => endpoint.replace("/stats/", "")).sort());
	});
	await reader.goto("/sites/shop");
	await until(() => ["explain", "geo/countries", "devices/types"].every((name) => asked.flat().includes(name)));
	await reader.page
		.getByRole("region", { name: "Devices" })
		.getByRole("button", { name: /^Mobile / })
		.waitFor();
	asked.length = 0;
	return asked;
}

const onScreen = ["channels", "overview", "pages"];
const afterwards = ["devices/types", "explain", "geo/countries"];

test("a click asks first for what is on the screen, then for what lies below it and for what explains the figures", async () => {
	const reader = await service.read();
	const asked = await opened(reader);
	await card(reader)
		.getByRole("button", { name: /^Direct / })
		.press("Enter");
	await chips(reader).filter({ hasText: "Channel is Direct" }).waitFor();
	await until(() => asked.flat().length === 6);
	const [first, ...later] = asked;
	assert.deepEqual(first, onScreen);
	assert.deepEqual(later.flat().sort(), afterwards);
	await reader.leave();
});

test("a row that is pressed asks for its figures before it is clicked, and one that moves under the pointer asks for none", async () => {
	const reader = await service.read();
	const { page, leave } = reader;
	const asked = await opened(reader);
	const { promise: held, resolve: answer } = Promise.withResolvers<void>();
	await page.route("**/api/v1/batch", async (route) => {
		await held;
		await route.continue();
	});
	await card(reader).getByRole("listitem").nth(2).getByRole("button").first().hover();
	await page.mouse.down();
	await until(() => asked.length === 1);
	assert.deepEqual(asked, [onScreen]);
	assert.equal(await chips(reader).count(), 0);
	await page.mouse.up();
	await chips(reader).filter({ hasText: "Channel is " }).waitFor();
	// The chips have moved the rows; a pointer that had come to one by itself would have asked by now.
	await page.evaluate(async () => {
		for (let frame = 0; frame < 30; frame++) await new Promise(requestAnimationFrame);
	});
	assert.deepEqual(asked, [onScreen]);
	answer();
	await until(() => asked.flat().length === 6);
	assert.deepEqual(asked.slice(1).flat().sort(), afterwards);
	await leave();
});

test("a list opens with all its rows, searched and ordered by the address, and its file holds what the API answers", async () => {
	const reader = await service.read();
	const { page, goto, api, leave } = reader;
	await goto("/sites/shop?compare=none");
	await page.getByRole("link", { name: "Show all: Pages" }).click();
	const drawer = page.getByRole("dialog", { name: "Pages" });
	await drawer.getByRole("searchbox", { name: "Search" }).fill("/s");
	await page.waitForURL(/q=\/s/);
	await drawer.getByRole("button", { name: "Visits", exact: true }).click();
	await page.waitForURL(/sort=-entrances/);

	const wanted = "path_filter=/s&sort_by=entrances&page_size=100&include=visitors";
	const { data, total } = await api<Rows>(`/stats/pages?${days}&${wanted}`);
	assert.ok(total > 1);
	await drawer.getByText(`of ${total}`).waitFor();
	const [download] = await Promise.all([
		page.waitForEvent("download"),
		drawer.getByRole("button", { name: "Save these rows as a CSV file" }).click(),
	]);
	const columns = ["path", "page_views", "entrances", "visitors"];
	const rows = data.map((row) => columns.map((column) => row[column]).join(","));
	assert.equal(await readFile(await download.path(), "utf8"), `${[columns.join(","), ...rows].join("\r\n")}\r\n`);

	await page.reload();
	await drawer.getByText(`of ${total}`).waitFor();
	assert.equal(await drawer.getByRole("searchbox", { name: "Search" }).inputValue(), "/s");
	await leave();
});

test("a page is listed, filtered by and searched as it is read, and the address keeps the path as it is stored", async () => {
	const site = await createSite(service.app, service.ann, { name: "Mill" });
	await sendHits(service.app, [{ site, url: "https://shop.example/%c3%a9t%c3%a9/" }]);
	const reader = await service.read();
	const { page, goto, leave } = reader;
	await goto(`/sites/${site}?compare=none`);
	const pages = page.getByRole("region", { name: "Pages" });
	await pages.getByRole("button", { name: /^\/été\/ / }).click();
	await chips(reader).filter({ hasText: "Page is /été/" }).waitFor();
	assert.deepEqual(filters(reader), ["path:eq:/%C3%A9t%C3%A9/"]);
	await page.getByRole("link", { name: "Show all: Pages" }).click();
	const drawer = page.getByRole("dialog", { name: "Pages" });
	await drawer.getByRole("searchbox", { name: "Search" }).fill("été");
	await drawer.getByText("of 1").waitFor();
	await leave();
});

test("filters are kept as a segment that everybody can choose", async () => {
	const reader = await service.read();
	const { page, goto, api, leave } = reader;
	await goto("/sites/shop?f=country:in:ES|FR");
	await page.getByRole("button", { name: "Save as segment" }).click();
	await page.getByRole("textbox", { name: "Name" }).fill("Spain & France");
	await page.getByRole("button", { name: "Save", exact: true }).click();
	await page.waitForURL(/segment=spain-france/);
	const { filters: kept } = await api<{ filters: { conditions: unknown } }>("/segments/spain-france?account_id=shop");
	assert.deepEqual(kept.conditions, [{ field: "country", operator: "in", value: ["ES", "FR"] }]);
	await page.getByRole("button", { name: "Segment: Spain & France" }).click();
	await page.getByRole("button", { name: "No segment" }).click();
	await page.getByRole("button", { name: "Segment", exact: true }).waitFor();
	assert.equal(new URL(page.url()).search, "");
	await leave();
});
