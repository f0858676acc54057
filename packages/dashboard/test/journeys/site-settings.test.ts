import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { insertSiteMember } from "../../../server/src/features/tenancy/sites/members-store.ts";
import { signIn } from "../../../server/test/support/accounts.ts";
import { finishDeletions, removeFilesAtOnce } from "../../../server/test/support/deletions.ts";
import { type DashboardService, openDashboard, type Reader } from "../support/open-dashboard.ts";

let service: DashboardService;
before(async () => {
	service = await openDashboard();
	await removeFilesAtOnce(service.app);
});
after(() => service?.close());

interface Site {
	readonly name: string;
	readonly timezone: string;
	readonly is_active: boolean;
	readonly purge_at: string | null;
	readonly data_retention_months: number | null;
	readonly data_retention_pending: { readonly months: number; readonly applies_at: string } | null;
}
const siteOf = ({ api }: Reader, id = "shop") => api<Site>(`/sites/${id}`);

const entrances = async ({ api }: Reader) =>
	(await api<{ traffic: { entrances: number } }>("/stats/overview?account_id=shop&period=30d")).traffic.entrances;

test("settings lead to the general ones; a change is kept, and taken back", async () => {
	const reader = await service.read();
	const { page, context, goto } = reader;
	await goto("/sites/shop");
	await page.getByRole("link", { name: "Settings" }).click();
	await page.getByRole("heading", { name: "General" }).waitFor();
	await page.getByLabel("Name").fill("Corner shop");
	await page.getByLabel("Time zone").fill("Europe/Nowhere");
	await page.getByRole("button", { name: "Save" }).click();
	await page.getByText("Choose a time zone from the list").waitFor();
	await page.getByLabel("Time zone").fill("Europe/Lisbon");
	await page.getByRole("button", { name: "Save" }).click();
	await page.getByText("Saved.").waitFor();
	assert.deepEqual([(await siteOf(reader)).name, (await siteOf(reader)).timezone], ["Corner shop", "Europe/Lisbon"]);
	await page.getByRole("button", { name: "Undo" }).click();
	await page.getByText("Undone.").waitFor();
	assert.deepEqual([(await siteOf(reader)).name, (await siteOf(reader)).timezone], ["Shop", "Europe/Madrid"]);
	// The browser logs the refusal as an error.
	await context.close();
});

test("a shorter retention is confirmed, shown until it applies, and withdrawn", async () => {
	const reader = await service.read();
	const { page, goto, leave } = reader;
	await goto("/sites/shop/settings/data");
	await page.getByLabel("Keep", { exact: true }).selectOption({ label: "2 years" });
	await page.getByRole("button", { name: "Save" }).click();
	const dialog = page.getByRole("dialog", { name: "Shorten the retention period" });
	await dialog.getByText("28 Nov 2024").waitFor();
	await dialog.getByLabel("Type “Shop” to confirm").fill("Shop");
	await dialog.getByRole("button", { name: "Shorten" }).click();
	await page.locator("main").getByText("Kept: Forever. From Sat, 28 Nov 2026: 2 years.").waitFor();
	const pending = { months: 24, applies_at: "2026-11-28T12:00:00.000Z" };
	assert.deepEqual((await siteOf(reader)).data_retention_pending, pending);
	await page.getByRole("button", { name: "Keep the current period" }).click();
	await page.getByText("Kept: Forever.", { exact: true }).waitFor();
	const { data_retention_months: months, data_retention_pending: withdrawn } = await siteOf(reader);
	assert.deepEqual([months, withdrawn], [null, null]);
	await leave();
});

test("a site is deleted by its name, is found among those that are not counted, and is brought back", async () => {
	const reader = await service.read();
	const { page, goto, leave } = reader;
	await goto("/sites/empty/settings");
	await page.getByRole("button", { name: "Delete site" }).click();
	const dialog = page.getByRole("dialog");
	await dialog.getByLabel("Type “Empty” to confirm").fill("Empty");
	await dialog.getByRole("button", { name: "Delete site" }).click();
	await page.getByText("will be permanently deleted on Mon, 21 Dec 2026").waitFor();
	assert.equal((await siteOf(reader, "empty")).purge_at, "2026-12-21T12:00:00.000Z");
	await goto("/sites");
	await page.getByRole("region", { name: "Paused" }).getByRole("link", { name: "Empty" }).click();
	await page.getByRole("button", { name: "Restore site" }).click();
	await page.getByText("Tracking is active.").waitFor();
	assert.deepEqual([(await siteOf(reader, "empty")).is_active, (await siteOf(reader, "empty")).purge_at], [true, null]);
	await leave();
});

test("who may only read sees what holds, and nothing to change it", async () => {
	const email = "vera@example.com";
	const { userId } = await signIn(service.app, { email, name: "Vera" });
	const { metadata, clock } = service.app;
	await insertSiteMember(metadata, { siteId: "shop", userId, role: "viewer", nowMs: clock.now() });
	const { page, goto, leave } = await service.read({ as: email });
	await goto("/sites/shop/settings");
	await page.getByText("Europe/Madrid").waitFor();
	await goto("/sites/shop/settings/data");
	await page.getByText("Kept: Forever.").waitFor();
	assert.equal(await page.locator("main").getByRole("button").count(), 0);
	await leave();
});

test("days are deleted after their site's name was typed; the progress is shown, and reports are asked anew", async () => {
	const reader = await service.read();
	const { page, goto, leave } = reader;
	await goto("/sites/shop/settings/data");
	const before = await entrances(reader);
	await page.getByLabel("From").fill("2026-11-01");
	await page.getByLabel("To (inclusive)").fill("2026-11-10");
	await page.getByRole("button", { name: "Delete…" }).click();
	const dialog = page.getByRole("dialog", { name: "Delete data" });
	await dialog.getByText("1 Nov 2026").waitFor();
	const act = dialog.getByRole("button", { name: "Delete data" });
	assert.ok(await act.isDisabled());
	await dialog.getByLabel("Type “Shop” to confirm").fill("Shop");
	await act.click();
	await page.getByText("Deletion started.").waitFor();
	await page.getByRole("progressbar", { name: "Progress" }).waitFor();
	await finishDeletions(service.app);
	await page.getByText("Deleted", { exact: true }).waitFor();
	assert.ok((await entrances(reader)) < before);
	await leave();
});
