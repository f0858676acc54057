import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import type { Page } from "../../../server/test/support/browser.ts";
import { type DashboardService, openDashboard } from "../support/open-dashboard.ts";

/** Rows of the large export. */
const rows = 60_000;
/** The event store stops in the middle of the large export until it is let go. */
const gate = Promise.withResolvers<void>();

let service: DashboardService;
before(async () => {
	service = await openDashboard(
		{},
		{
			wrapEventStore: (store) => ({
				...store,
				async *streamBytes(query) {
					let bytes = 0;
					for await (const piece of store.streamBytes(query)) {
						yield piece;
						bytes += piece.length;
						if (bytes > 1_000_000) await gate.promise;
					}
				},
			}),
		},
	);
	await service.app.eventStore.command(
		`INSERT INTO events (site, date, hour, ts, session, kind, event_type, conversion, amount, revenue, properties)
		SELECT 'shop', '2026-11-20', 12, toDateTime64('2026-11-20 12:00:00', 3, 'UTC') + number / 1000, number, 'conversion',
			'order', 1, number, number, map('number', toString(number)) FROM numbers(${rows})`,
	);
});
after(() => service?.close());

const estimate = (page: Page) => page.getByText(/^About [\d,]+ rows/);
const lines = (text: string): readonly string[] => text.trimEnd().split(/\r?\n/);

async function saved(page: Page, press: () => Promise<void>): Promise<string> {
	const download = page.waitForEvent("download");
	await press();
	return readFileSync(await (await download).path(), "utf8");
}

test("a small export is saved at once, of the days and filters that one looked at", async () => {
	const { page, goto, api, leave } = await service.read();
	await goto("/sites/shop/exports?period=7d&f=device_type:eq:mobile");
	await estimate(page).getByText("Can be downloaded now.").waitFor();
	assert.equal(await page.getByLabel("From").inputValue(), "2026-11-15");
	assert.equal(await page.getByLabel("More filters").inputValue(), "device_type:eq:mobile");
	const text = await saved(page, () => page.getByRole("button", { name: "Download now" }).click());
	const { total } = await api<{ total: number }>(
		"/stats/pages?site_id=shop&period=7d&filters=device_type:eq:mobile&page_size=1",
	);
	assert.equal(lines(text)[0], "path,content_grouping,page_views,entrances,engaged_entrances");
	assert.equal(lines(text).length - 1, total);
	await page.getByLabel("More filters").fill("country:eq:AQ");
	await page.getByText("No data for this period and these filters").waitFor();
	assert.equal(await page.getByRole("button", { name: "Download now" }).count(), 0);
	await leave();
});

test("a large export tells how far it is, has a link, and says when that has ended", async () => {
	const { page, context, goto } = await service.read();
	await goto("/sites/shop/settings/exports");
	await page.getByText("No exports yet.").waitFor();
	await page.getByLabel("Data").selectOption("conversions");
	await page.getByText("Will be created in the background").waitFor();
	const said = Number(/[\d,]+/.exec((await estimate(page).textContent()) ?? "")?.[0].replaceAll(",", ""));
	assert.ok(said >= rows, String(said));
	assert.equal(await page.getByRole("button", { name: "Download now" }).count(), 0);
	await page.getByRole("button", { name: "Create download link" }).click();
	const job = page.getByRole("list", { name: "Files" }).getByRole("listitem").first();
	await job.getByText("pending").waitFor();

	const working = service.app.jobs.runDue();
	await job.getByText(/^[1-9]\d* % done$/).waitFor();
	assert.ok(Number(await job.getByRole("progressbar").getAttribute("value")) >= 5);
	gate.resolve();
	await working;
	await job.getByText("ready", { exact: true }).waitFor();
	await job.getByText("expires tomorrow (22 Nov 2026, 13:00)").waitFor();
	const text = await saved(page, () => job.getByRole("link", { name: "Download" }).click());
	assert.equal(lines(text).length - 1, said);

	const link = await job.getByRole("link", { name: "Download" }).getAttribute("href");
	service.app.clock.set("2026-11-22T12:00:01.000Z");
	await goto("/sites/shop/settings/exports");
	await page.getByText("No exports yet.").waitFor();
	await page.getByLabel("Show expired exports").check();
	await job.getByText("expired").waitFor();
	assert.equal((await context.request.get(service.root + link)).status(), 404);
	await job.getByRole("button", { name: "Create again" }).click();
	await page.getByText("Creating the export…").waitFor();
	await job.getByRole("button", { name: "Cancel" }).click();
	await page.getByText("Export cancelled.").waitFor();
	await context.close();
});
