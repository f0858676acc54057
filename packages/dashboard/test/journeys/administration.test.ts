import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Session, signIn } from "../../../server/test/support/accounts.ts";
import { type DashboardService, openDashboard, type Reader, settled } from "../support/open-dashboard.ts";

const root = "root@example.com";
const bea = "bea@example.com";

let service: DashboardService;
let beaSession: Session;

before(async () => {
	service = await openDashboard();
	await signIn(service.app, { email: root, name: "Root", role: "superadmin" });
	beaSession = await signIn(service.app, { email: bea, name: "Bea" });
});
after(() => service?.close());

interface Log {
	readonly logs: readonly {
		readonly action: string;
		readonly resource_id: string | null;
		readonly details: Readonly<Record<string, unknown>>;
	}[];
}

const lastOf = async ({ api }: Reader, action: string) => (await api<Log>(`/audit/logs?action=${action}`)).logs[0];

test("a superadmin finds the way in the account's menu; for others there is none", async () => {
	const reader = await service.read({ as: root });
	await reader.goto("/sites");
	await reader.page.getByRole("button", { name: "Account: Root" }).click();
	await reader.page.getByRole("link", { name: "Administration" }).click();
	await reader.page.getByRole("heading", { name: "Users" }).waitFor();
	await reader.leave();
	const other = await service.read();
	await other.goto("/sites");
	await other.page.getByRole("button", { name: "Account: Ann" }).click();
	await other.page.getByRole("button", { name: "Sign out" }).waitFor();
	assert.equal(await other.page.getByRole("link", { name: "Administration" }).count(), 0);
	await other.goto("/admin/system");
	await other.page.getByRole("heading", { name: "Access denied" }).waitFor();
	await other.leave();
});

test("users are searched; one is shut out, let in again, and deleted by typing the address", async () => {
	const reader = await service.read({ as: root });
	const { page } = reader;
	await reader.goto("/admin/users");
	const rows = page.getByRole("list", { name: "Users" }).getByRole("listitem");
	assert.equal(await rows.count(), 3);
	await page.getByRole("searchbox", { name: "Name or email" }).fill("BEA");
	await page.waitForFunction(() => document.querySelectorAll("main ul[aria-label='Users'] > li").length === 1);
	assert.match(page.url(), /q=BEA/);
	const more = page.getByRole("button", { name: "More actions for Bea" });
	await more.focus();
	await page.keyboard.press("Enter");
	await page.getByRole("button", { name: "Suspend" }).click();
	await page.getByText("Bea suspended.").waitFor();
	const asBea = { url: "/api/v1/users/me", headers: beaSession.headers };
	assert.equal((await service.app.inject(asBea)).statusCode, 401);
	await page.getByRole("button", { name: "Undo" }).click();
	await page.getByText("Undone.").waitFor();
	assert.equal((await lastOf(reader, "user.activated"))?.resource_id, String(beaSession.userId));

	await signIn(service.app, { email: "cid@example.com", name: "Cid" });
	await page.getByRole("searchbox", { name: "Name or email" }).fill("cid");
	await page.getByRole("button", { name: "More actions for Cid" }).click();
	await page.getByRole("button", { name: "Delete permanently" }).click();
	const remove = page.getByRole("button", { name: "Delete user" });
	assert.equal(await remove.isDisabled(), true);
	await page.getByLabel("Type “cid@example.com” to confirm").fill("cid@example.com");
	await remove.click();
	await page.getByText("No results for “cid”.").waitFor();
	await reader.leave();
});

test("acting as a user needs a reason, shows a banner, is refused what is closed, and leads back", async () => {
	const reader = await service.read({ as: root });
	const { page, context } = reader;
	await reader.goto("/admin/users?q=ann");
	await page.getByRole("button", { name: "Impersonate Ann" }).click();
	await page.getByLabel("Reason").fill("Ann asked why the shop is empty");
	await page.getByRole("dialog").getByRole("button", { name: "Impersonate Ann" }).click();
	await page.getByText("Impersonating ann@example.com").waitFor();
	await page.getByText(/until 14:00 at the latest/).waitFor();
	await settled(page);
	const refused = await context.request.delete(`${service.root}/api/v1/sites/shop`);
	assert.equal(refused.status(), 403);
	assert.deepEqual((await context.request.get(`${service.root}/api/v1/users`)).status(), 403);
	await reader.load("/admin/users");
	await page.getByRole("heading", { name: "Access denied" }).waitFor();
	await page.getByRole("button", { name: "Stop" }).click();
	await page.waitForURL("**/sites");
	await settled(page);
	assert.equal(await page.getByText("Impersonating ann@example.com").count(), 0);
	await reader.goto("/admin/audit?view=what:user.impersonation_started");
	await page.getByRole("listitem").filter({ hasText: "Root started impersonating a user" }).waitFor();
	await page.getByText("Ann asked why the shop is empty").waitFor();
	assert.equal((await lastOf(reader, "user.impersonation_ended"))?.action, "user.impersonation_ended");
	await reader.leave();
});

test("a plan is changed where it stands and taken back; the log tells both, old and new", async () => {
	const reader = await service.read({ as: root });
	const { page } = reader;
	await reader.goto("/admin/organizations");
	const plan = page.getByRole("combobox", { name: "Plan of Ann" });
	const before = await plan.inputValue();
	await plan.selectOption("scale");
	await page.getByText("Ann is now on the Scale plan.").waitFor();
	await page.getByRole("button", { name: "Undo" }).click();
	await page.getByText("Undone.").waitFor();
	assert.equal(await plan.inputValue(), before);
	await reader.goto("/admin/audit?view=what:plan.changed");
	const entries = page.getByRole("list", { name: "Activity log" }).getByRole("listitem");
	assert.deepEqual(
		(await entries.allTextContents()).map((text) => /Plan[\s\S]*$/.exec(text)?.[0].replace(/\s+/g, " ")),
		[`Planbefore scaleafter ${before}`, `Planbefore ${before}after scale`],
	);
	await reader.leave();
});

test("a job that was given up tells why, and begins anew", async () => {
	const { app } = service;
	await app.jobs.enqueue(app.metadata, { kind: "mail", payload: { sealed: "by another secret" } });
	await app.jobs.runDue();
	const reader = await service.read({ as: root });
	const { page } = reader;
	await reader.goto("/admin/system");
	await page.getByText("SECRET_KEY is another one than when this mail was queued").waitFor();
	await page.getByRole("table", { name: "Jobs by type" }).getByRole("link", { name: "1" }).click();
	await page.getByRole("heading", { name: "Jobs", exact: true }).waitFor();
	assert.match(page.url(), /view=status:failed&view=kind:mail/);
	await page.getByRole("button", { name: /^Retry: Email no\. \d+$/ }).click();
	await page.getByText("Email queued again.").waitFor();
	await page.getByText("No results.").waitFor();
	assert.equal((await lastOf(reader, "job.retried"))?.details["kind"], "mail");
	await app.jobs.runDue();
	await reader.leave();
});

test("the log of a site is filtered by act, by author and by day, and leads to its address", async () => {
	const { app, ann: owner } = service;
	const change = (name: string) =>
		app.inject({ method: "PATCH", url: "/api/v1/sites/shop", headers: owner.headers, payload: { name } });
	await change("Store");
	await change("Shop");
	const reader = await service.read();
	const { page } = reader;
	await reader.goto("/sites/shop/settings/activity");
	const entries = page.getByRole("list", { name: "Activity log" }).getByRole("listitem");
	const all = await entries.count();
	await page.getByRole("combobox", { name: "Action" }).selectOption({ label: "updated the site" });
	await page.waitForFunction((before) => document.querySelectorAll("main ul[aria-label] > li").length < before, all);
	assert.equal(await entries.count(), 2);
	assert.match((await entries.first().textContent()) ?? "", /^Ann updated the site.*Namebefore Storeafter Shop$/);
	await entries.first().getByRole("link", { name: "Ann" }).click();
	await page.getByRole("button", { name: "By Ann" }).waitFor();
	assert.match(page.url(), /view=what:site\.updated&view=by:\d+&view=who:Ann/);
	await page.getByRole("textbox", { name: "To", exact: true }).fill("2026-11-20");
	await page.getByText("No results for these filters.").waitFor();
	await page.getByRole("button", { name: "Clear filters" }).click();
	await page.waitForFunction((before) => document.querySelectorAll("main ul[aria-label] > li").length === before, all);
	await reader.leave();
});

test("all sites together are the sums of the API, and the switch stands in the address", async () => {
	const reader = await service.read({ as: root });
	const { page } = reader;
	await reader.goto("/sites");
	await page.getByRole("checkbox", { name: "Combined view" }).check();
	const sums = page.getByRole("heading", { name: "Combined view" }).locator("xpath=ancestor::section");
	await sums.getByText("2 sites, last 30 days vs previous period").waitFor();
	assert.match(page.url(), /view=together:yes/);
	await settled(page);
	const ids = "account_ids=empty&account_ids=shop&period=30d";
	const { traffic } = await reader.api<{ traffic: { entrances: number; page_views: number } }>(
		`/stats/aggregate/overview?${ids}`,
	);
	const whole = new Intl.NumberFormat("en-GB");
	for (const value of [traffic.entrances, traffic.page_views]) {
		await sums.getByTitle(whole.format(value), { exact: true }).first().waitFor();
	}
	assert.match(
		(await sums.getByRole("region", { name: "Sites" }).getByRole("listitem").first().textContent()) ?? "",
		/^Shop/,
	);
	const other = await service.read();
	await other.goto("/sites?view=together:yes");
	assert.equal(await other.page.getByText("Combined view").count(), 0);
	await other.leave();
	await reader.leave();
});
