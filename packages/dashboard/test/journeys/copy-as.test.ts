import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type DashboardService, openDashboard, type Reader } from "../support/open-dashboard.ts";

let service: DashboardService;
before(async () => {
	service = await openDashboard();
});
after(() => service?.close());

/** What the clipboard holds after one of the ways of a tile. */
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
	const lines = (await copied(reader, "Sources", "CSV of the figures")).split("\r\n");
	const [head = "", first = ""] = lines;
	assert.match(head, /^utm_source,entrances,page_views,.*revenue$/);
	assert.equal(lines.length, data.length + 2);
	assert.ok(first.startsWith(`${data[0]?.utm_source},${data[0]?.entrances},`), first);
	const command = await copied(reader, "Sources", "curl command");
	assert.ok(
		command.startsWith(`curl -H "X-API-Key: $KEY" '${service.root}/api/v1/stats/sources?site_id=shop&period=7d`),
	);
	assert.match(
		await copied(reader, "Sources", "SQL that was asked"),
		/^SELECT utm_source,[\s\S]*\nGROUP BY utm_source/,
	);
	assert.equal(
		await copied(reader, "Sources", "Question for an assistant"),
		"Look at “Sources” of the site Shop (shop), 15 – 21 Nov, with the filters country:eq:ES. What stands out?",
	);
	await reader.leave();
});

test("hours, causes, goals, a funnel and a pivot are copied with what the API answers", async () => {
	const reader = await readerWithClipboard();
	await reader.goto("/sites/shop?period=7d");
	await reader.page.getByRole("region", { name: "Hours and weekdays" }).scrollIntoViewIfNeeded();
	const hours = await copied(reader, "Hours and weekdays", "curl command");
	assert.match(hours, /stats\/query\?site_id=shop' -d '\{.*"dimensions":\["day_of_week","hour"\]/);
	await reader.goto("/sites/shop/why?period=7d");
	assert.match(await copied(reader, "Device", "CSV of the figures"), /^dimension,value,now,.*\r\ndevice_type,/);
	await reader.goto("/sites/shop/goals?period=7d");
	assert.match(await copied(reader, "Conversions", "CSV of the figures"), /^conversion_type,count,.*\r\npurchase,/);
	await reader.goto("/sites/shop/funnels?period=7d&view=page:/&view=event:purchase");
	assert.match(await copied(reader, "How far visits get", "curl command"), /"steps":\["\/","purchase"\]/);
	await reader.goto("/sites/shop/explore?period=7d&view=row:device_type&view=fig:entrances");
	const pivot = await copied(reader, "Result", "CSV of the figures");
	assert.match(pivot, /^device_type,entrances\r\n(mobile|desktop),\d+\r\n/);
	await reader.leave();
});
