import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { signIn } from "../../../server/test/support/accounts.ts";
import {
	type BigQueryStandIn,
	openBigQueryStandIn,
	serviceAccount,
} from "../../../server/test/support/bigquery-stand-in.ts";
import type { Page } from "../../../server/test/support/browser.ts";
import { giveSiteRole } from "../../../server/test/support/site-roles.ts";
import { type DashboardService, openDashboard } from "../support/open-dashboard.ts";

let google: BigQueryStandIn;
let service: DashboardService;
before(async () => {
	google = await openBigQueryStandIn();
	service = await openDashboard({ BIGQUERY_URL: google.url });
});
after(async () => {
	await service?.close();
	await google?.close();
});

const place = "/sites/shop/settings/bigquery";
const syncs = (page: Page) => page.getByRole("list", { name: "Syncs" }).getByRole("listitem");
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const work = () => service.app.jobs.runDue();
const key = { name: "key.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify(serviceAccount)) };

test("a site is connected with a key file, synced, filled, retried, paused and disconnected", async () => {
	const { page, goto, api, leave } = await service.read();
	await goto(place);
	await button(page, "Connect").click();
	assert.equal(await page.getByLabel("Project").evaluate((field: HTMLInputElement) => field.validity.valid), false);
	await page
		.getByLabel("Service account key file")
		.last()
		.setInputFiles({ ...key, buffer: Buffer.from("{}") });
	await page.getByText("This is not a service account JSON key.").waitFor();
	await page.getByLabel("Service account key file").last().setInputFiles(key);
	await page.getByText(`Key of ${serviceAccount.client_email}`).waitFor();
	assert.equal(await page.getByLabel("Project").inputValue(), "shop-project");
	await page.getByLabel("Days to backfill").fill("6");
	await button(page, "Connect").click();
	await page.getByText(/7 tables in shop-project\.footfall/).waitFor();
	await syncs(page).first().getByText("running").waitFor();
	await work();
	await syncs(page).first().getByText("done").waitFor();

	const { traffic } = await api<{ traffic: { entrances: number; page_views: number } }>(
		"/stats/overview?site_id=shop&start_date=2026-11-15&end_date=2026-11-21",
	);
	const sum = (field: string) => google.rows("fact_traffic_daily").reduce((all, row) => all + Number(row[field]), 0);
	assert.deepEqual([sum("entrances"), sum("page_views")], [traffic.entrances, traffic.page_views]);

	await button(page, "Details").click();
	await page
		.getByRole("table", { name: /First sync/ })
		.getByText("fact_landing_pages")
		.waitFor();
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
	await syncs(page).first().getByText("running").waitFor();
	await work();
	await syncs(page).first().getByText("partial").waitFor();
	await page.getByText("last sync failed").waitFor();
	await syncs(page).first().getByRole("button", { name: "Retry" }).click();
	await syncs(page).first().getByText("running").waitFor();
	await work();
	await syncs(page).first().getByText("done").waitFor();
	await page.getByText("Sync complete.").first().waitFor();

	await button(page, "Pause").click();
	await page.getByText("paused", { exact: true }).waitFor();
	assert.equal(await button(page, "Sync now").count(), 0);
	await button(page, "Resume").click();
	await button(page, "Sync now").click();
	await syncs(page).first().getByText("running").waitFor();
	await work();
	await syncs(page).first().getByText("done").waitFor();

	const before = google.rows("fact_pages").length;
	await button(page, "Disconnect").click();
	const asked = page.getByRole("dialog");
	await asked.getByText("All data in BigQuery").waitFor();
	await asked.getByRole("button", { name: "Disconnect" }).click();
	await page.getByText("BigQuery disconnected.").waitFor();
	await button(page, "Connect").waitFor();
	assert.equal(google.rows("fact_pages").length, before);
	assert.ok(before > 0);
	await leave();
});

test("what Google says of a key that it does not take stands in the form, and the form stays as it was", async () => {
	const { page, goto } = await service.read({ language: "es" });
	await goto(place);
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
	await page.close();
});

test("who may only look finds the state and the tables, and no button", async () => {
	const vera = await signIn(service.app, { email: "vera@example.com", name: "Vera" });
	await giveSiteRole(service.app, "shop", vera.userId, "viewer");
	const { page, goto, leave } = await service.read({ as: vera.email });
	await goto(place);
	await page.getByText("BigQuery is not connected.").waitFor();
	await page.getByRole("table", { name: "fact_traffic_daily" }).waitFor();
	assert.equal(await button(page, "Connect").count(), 0);
	await leave();
});
