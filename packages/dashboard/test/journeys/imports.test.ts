import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { exportedFile } from "../../../server/test/support/import-files.ts";
import { type LegacyService, legacyService } from "../../../server/test/support/legacy-service.ts";
import { type DashboardService, openDashboard } from "../support/open-dashboard.ts";

const login = { email: "ann@old.example", password: "a password of the older service" };
const day = { date: "2026-09-01", source: "google", medium: "organic" };

let legacy: LegacyService;
let service: DashboardService;
before(async () => {
	legacy = await legacyService({
		...login,
		accounts: [{ id: "acc_1", name: "Old shop" }],
		reports: { conversions: [{ ...day, type: "order", conversions: 3, revenue: 90 }] },
	});
	service = await openDashboard({ LEGACY_API_URL: legacy.url });
});
after(async () => {
	await service?.close();
	await legacy?.close();
});

const path = "/sites/empty/settings/imports";
const days = "start_date=2026-10-01&end_date=2026-10-03";

interface Overview {
	readonly traffic: { readonly entrances: number; readonly page_views: number; readonly conversions: number };
}

test("a file is read, looked at, imported, found on the report, and taken back", async () => {
	const { page, goto, api, leave } = await service.read();
	const entrances = async () => (await api<Overview>(`/stats/overview?site_id=empty&${days}`)).traffic.entrances;
	await goto(path);
	await page.getByText("No imports yet. Choose a file above").waitFor();
	const file = { name: "acquisition.csv", mimeType: "text/csv", buffer: exportedFile("ga4-traffic-acquisition.csv") };
	await page.getByLabel("File", { exact: true }).setInputFiles(file);
	await page.getByText("Detected from the file.").waitFor();
	assert.equal(await page.getByLabel("Source", { exact: true }).inputValue(), "ga4_csv");
	await page.getByText("Columns", { exact: true }).click();
	await page.getByLabel("Session default channel group").selectOption("ignore");
	await page.getByRole("button", { name: "Upload" }).press("Enter");
	await page.getByText("Reading the file…").waitFor();
	await service.app.jobs.runDue();
	const row = page.getByRole("listitem").filter({ hasText: "acquisition.csv" });
	await row.getByText("ready to import").waitFor();
	await row.getByText("9 rows read: 6 accepted, 3 skipped.").waitFor();
	const left = row.getByRole("table", { name: "Skipped" });
	await left.getByRole("row", { name: /Unreadable 1 15; line 15: column “Date” has “2026-13-45”/ }).waitFor();
	await left.getByRole("row", { name: /Duplicate 2 7, 8/ }).waitFor();
	const byDay = row.getByRole("table", { name: "Day by day" });
	await byDay.getByRole("row", { name: /1,144 2,710 0/ }).waitFor();
	assert.equal(await entrances(), 0);
	await row.getByRole("button", { name: "Import" }).press("Enter");
	await row.getByText("pending").or(row.getByText("importing")).first().waitFor();
	await service.app.jobs.runDue();
	await row.getByText("imported", { exact: true }).waitFor();
	assert.equal(await entrances(), 1385);
	await row.getByRole("link", { name: "View in report" }).click();
	await page.getByText("1,385").first().waitFor();
	assert.match(page.url(), /from=2026-10-01&to=2026-10-03/);
	await goto(path);
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

test("a file that is none of its source says so at its field", async () => {
	const { page, goto } = await service.read();
	await goto(path);
	const file = { name: "wrong.csv", mimeType: "text/csv", buffer: Buffer.from("Tag,Besuche\n20261001,7\n") };
	await page.getByLabel("File", { exact: true }).setInputFiles(file);
	await page.getByRole("button", { name: "Upload" }).click();
	await page.getByText(/needs a date column and one metric; it has Tag, Besuche/).waitFor();
	await page.getByText("Columns", { exact: true }).click();
	await page.getByLabel("Tag").selectOption("date");
	await page.getByLabel("Besuche").selectOption("entrances");
	await page.getByRole("button", { name: "Upload" }).click();
	await page.getByText("Reading the file…").waitFor();
	await page.context().close();
});

test("figures of the older service are brought over, after its login was tried", async () => {
	const { page, goto, api, leave } = await service.read();
	await goto(path);
	await page.getByLabel("Email (older service)").fill(login.email);
	await page.getByLabel("Password (older service)").fill("wrong");
	await page.getByLabel("Account ID (older service)").fill("acc_1");
	await page.getByRole("button", { name: "Test login" }).click();
	await page.getByText("did not accept the e-mail and password").waitFor();
	await page.getByLabel("Password (older service)").fill(login.password);
	await page.getByRole("button", { name: "Test login" }).click();
	await page.getByText("Login works: “Old shop”.").waitFor();
	await page.getByLabel("From").last().fill("2026-09-01");
	await page.getByLabel("To").last().fill("2026-09-30");
	await page.getByRole("button", { name: "Import" }).click();
	await page.getByText("Import started.").waitFor();
	await service.app.jobs.runDue();
	await page.getByRole("list", { name: "Jobs" }).getByText("done").waitFor();
	const { traffic } = await api<Overview>("/stats/overview?site_id=empty&start_date=2026-09-01&end_date=2026-09-30");
	assert.equal(traffic.conversions, 3);
	await leave();
});
