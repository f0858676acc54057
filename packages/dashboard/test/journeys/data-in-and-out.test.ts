import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
	type BigQueryStandIn,
	openBigQueryStandIn,
	serviceAccount,
} from "../../../server/test/support/bigquery-stand-in.ts";
import type { Page } from "../../../server/test/support/browser.ts";
import { exportedFile } from "../../../server/test/support/import-files.ts";
import { savedBy } from "../support/acts.ts";
import { type DashboardService, openDashboard } from "../support/open-dashboard.ts";

/** Rows of the large export. */
const rows = 60_000;
/** The event store stops in the middle of the large export until it is let go. */
const gate = Promise.withResolvers<void>();
let google: BigQueryStandIn;
let service: DashboardService;
before(async () => {
	google = await openBigQueryStandIn();
	service = await openDashboard(
		{ BIGQUERY_URL: google.url },
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
});
after(async () => {
	await service?.close();
	await google?.close();
});

interface Overview {
	readonly traffic: { readonly entrances: number; readonly page_views: number };
}
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const work = () => service.app.jobs.runDue();
const lines = (text: string): readonly string[] => text.trimEnd().split(/\r?\n/);

const imports = "/sites/empty/settings/imports";

test("a file is read, looked at, imported, found on the report, and taken back", async () => {
	const { page, goto, api, leave } = await service.read();
	const days = "start_date=2026-10-01&end_date=2026-10-03";
	const entrances = async () => (await api<Overview>(`/stats/overview?site_id=empty&${days}`)).traffic.entrances;
	await goto(imports);
	const file = { name: "acquisition.csv", mimeType: "text/csv", buffer: exportedFile("ga4-traffic-acquisition.csv") };
	await page.getByLabel("File", { exact: true }).setInputFiles(file);
	await page.getByText("Detected from the file.").waitFor();
	assert.equal(await page.getByLabel("Source", { exact: true }).inputValue(), "ga4_csv");
	await page.getByText("Columns", { exact: true }).click();
	await page.getByLabel("Session default channel group").selectOption("ignore");
	await page.getByRole("button", { name: "Upload" }).press("Enter");
	await page.getByText("Reading the file…").waitFor();
	await work();
	const row = page.getByRole("listitem").filter({ hasText: "acquisition.csv" });
	await row.getByText("9 rows read: 6 accepted, 3 skipped.").waitFor();
	const left = row.getByRole("table", { name: "Skipped" });
	await left.getByRole("row", { name: /Unreadable 1 15; line 15: column “Date” has “2026-13-45”/ }).waitFor();
	await row
		.getByRole("table", { name: "Day by day" })
		.getByRole("row", { name: /1,144 2,710 0/ })
		.waitFor();
	assert.equal(await entrances(), 0);
	await row.getByRole("button", { name: "Import" }).press("Enter");
	await row.getByText("pending").or(row.getByText("importing")).first().waitFor();
	await work();
	await row.getByText("imported", { exact: true }).waitFor();
	await row.getByRole("link", { name: "View in report" }).click();
	await page.getByText("1,385").first().waitFor();
	assert.match(page.url(), /from=2026-10-01&to=2026-10-03/);
	await goto(imports);
	await row.getByRole("button", { name: "Undo" }).click();
	const dialog = page.getByRole("dialog");
	await dialog.getByText("1,385 visits and 3,485 page views.").waitFor();
	await dialog.getByRole("button", { name: "Undo" }).click();
	await row.getByText("undone", { exact: true }).waitFor();
	assert.equal(await entrances(), 0);
	await row.getByRole("button", { name: "Delete" }).click();
	await page.getByText("No imports yet. Choose a file above").waitFor();
	await leave();
});

test("a file that is none of its source says so at its field, and takes the columns that one names", async () => {
	const { page, context, goto } = await service.read();
	await goto(imports);
	const file = { name: "wrong.csv", mimeType: "text/csv", buffer: Buffer.from("Tag,Besuche\n20261001,7\n") };
	await page.getByLabel("File", { exact: true }).setInputFiles(file);
	await page.getByRole("button", { name: "Upload" }).click();
	await page.getByText(/needs a date column and one metric; it has Tag, Besuche/).waitFor();
	await page.getByText("Columns", { exact: true }).click();
	await page.getByLabel("Tag").selectOption("date");
	await page.getByLabel("Besuche").selectOption("entrances");
	await page.getByRole("button", { name: "Upload" }).click();
	await page.getByText("Reading the file…").waitFor();
	await context.close();
});

const bigquery = "/sites/shop/settings/bigquery";
const key = { name: "key.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify(serviceAccount)) };

test("what Google says of a key that it does not take stands in the form, and the form stays as it was", async () => {
	const { page, context, goto } = await service.read({ language: "es" });
	await goto(bigquery);
	const stranger = { ...serviceAccount, client_email: "otra@shop-project.iam.gserviceaccount.com" };
	await page.locator("summary", { hasText: "O pega su contenido" }).click();
	await page.getByRole("textbox", { name: "O pega su contenido" }).fill(JSON.stringify(stranger));
	await page.getByText(`La clave de ${stranger.client_email}`).waitFor();
	await page.getByLabel("Conjunto de datos").fill("mine");
	await button(page, "Conectar").click();
	await page
		.getByText(/Invalid JWT Signature/)
		.first()
		.waitFor();
	assert.equal(await page.getByLabel("Conjunto de datos").inputValue(), "mine");
	await context.close();
});

test("a site is connected to BigQuery with a key file, synced, filled, retried, paused and disconnected", async () => {
	const { page, goto, api, leave } = await service.read();
	const newest = page.getByRole("list", { name: "Syncs" }).getByRole("listitem").first();
	const ends = async (state: string) => {
		await newest.getByText("running").waitFor();
		await work();
		await newest.getByText(state).waitFor();
	};
	await goto(bigquery);
	const file = page.getByLabel("Service account key file").last();
	await file.setInputFiles({ ...key, buffer: Buffer.from("{}") });
	await page.getByText("This is not a service account JSON key.").waitFor();
	await file.setInputFiles(key);
	await page.getByText(`Key of ${serviceAccount.client_email}`).waitFor();
	assert.equal(await page.getByLabel("Project").inputValue(), "shop-project");
	await page.getByLabel("Days to backfill").fill("6");
	await button(page, "Connect").click();
	await page.getByText(/7 tables in shop-project\.footfall/).waitFor();
	await ends("done");
	const { traffic } = await api<Overview>("/stats/overview?site_id=shop&start_date=2026-11-15&end_date=2026-11-21");
	const sum = (field: string) => google.rows("fact_traffic_daily").reduce((all, row) => all + Number(row[field]), 0);
	assert.deepEqual([sum("entrances"), sum("page_views")], [traffic.entrances, traffic.page_views]);
	await page.getByLabel("Table").selectOption("fact_conversions");
	await page.getByRole("table", { name: "fact_conversions" }).getByText("click_id").waitFor();

	google.failJobs((text) => text.includes("MERGE") && text.includes("fact_pages"), {
		reason: "invalidQuery",
		message: "No matching signature",
	});
	await button(page, "Backfill…").click();
	await page.getByLabel("From").fill("2026-11-01");
	await page.getByLabel("To").fill("2026-11-10");
	await button(page, "Start").click();
	await ends("partial");
	await page.getByText("last sync failed").waitFor();
	await newest.getByRole("button", { name: "Retry" }).click();
	await ends("done");
	await button(page, "Pause").click();
	await page.getByText("paused", { exact: true }).waitFor();
	assert.equal(await button(page, "Sync now").count(), 0);
	await button(page, "Resume").click();
	await button(page, "Sync now").click();
	await ends("done");
	const before = google.rows("fact_pages").length;
	await button(page, "Disconnect").click();
	await page.getByRole("dialog").getByRole("button", { name: "Disconnect" }).click();
	await page.getByText("BigQuery disconnected.").waitFor();
	await button(page, "Connect").waitFor();
	assert.ok(before > 0);
	assert.equal(google.rows("fact_pages").length, before);
	await leave();
});

const estimate = (page: Page) => page.getByText(/^About [\d,]+ rows/);

test("a small export is saved at once, of the days and filters that one looked at", async () => {
	const { page, goto, api, leave } = await service.read();
	await goto("/sites/shop/exports?period=7d&f=device_type:eq:mobile");
	await estimate(page).getByText("Can be downloaded now.").waitFor();
	const text = await savedBy(page, () => page.getByRole("button", { name: "Download now" }).click());
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

test("a large export shows its progress, has a link, and says when that has ended", async () => {
	await service.app.eventStore.command(
		`INSERT INTO events (site, date, hour, ts, session, kind, event_type, conversion, amount, revenue, properties)
		SELECT 'shop', '2026-11-20', 12, toDateTime64('2026-11-20 12:00:00', 3, 'UTC') + number / 1000, number, 'conversion',
			'order', 1, number, number, map('number', toString(number)) FROM numbers(${rows})`,
	);
	const { page, context, goto } = await service.read();
	await goto("/sites/shop/settings/exports");
	await page.getByLabel("Data").selectOption("conversions");
	await page.getByText("Will be created in the background").waitFor();
	const said = Number(/[\d,]+/.exec((await estimate(page).textContent()) ?? "")?.[0].replaceAll(",", ""));
	assert.ok(said >= rows, String(said));
	assert.equal(await page.getByRole("button", { name: "Download now" }).count(), 0);
	await page.getByRole("button", { name: "Create download link" }).click();
	const job = page.getByRole("list", { name: "Files" }).getByRole("listitem").first();
	await job.getByText("pending").waitFor();
	const working = work();
	await job.getByText(/^[1-9]\d* % done$/).waitFor();
	assert.ok(Number(await job.getByRole("progressbar").getAttribute("value")) >= 5);
	gate.resolve();
	await working;
	await job.getByText("expires tomorrow (22 Nov 2026, 13:00)").waitFor();
	const text = await savedBy(page, () => job.getByRole("link", { name: "Download" }).click());
	assert.equal(lines(text).length - 1, said);
	const link = await job.getByRole("link", { name: "Download" }).getAttribute("href");
	service.app.clock.set("2026-11-22T12:00:01.000Z");
	await goto("/sites/shop/exports");
	await page.getByText("No exports yet.").waitFor();
	await page.getByLabel("Show expired exports").check();
	await job.getByText("expired").waitFor();
	assert.equal((await context.request.get(service.root + link)).status(), 404);
	await job.getByRole("button", { name: "Create again" }).click();
	await job.getByText("pending").waitFor();
	await job.getByRole("button", { name: "Cancel" }).click();
	await page.getByText("Export cancelled.").waitFor();
	await context.close();
});
