import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { tables } from "../../../server/migrations/metadata/tables/index.ts";
import { signIn } from "../../../server/test/support/accounts.ts";
import { type DashboardService, openDashboard } from "../support/open-dashboard.ts";

let service: DashboardService;
before(async () => {
	service = await openDashboard();
	await signIn(service.app, { email: root, name: "Root", role: "superadmin" });
});
after(() => service?.close());

const root = "root@example.com";
const billing = "/organizations/ann/billing";

/** Puts Ann's organization on a plan, as whoever runs the service does. */
async function put(plan: string): Promise<void> {
	const reader = await service.read({ as: root });
	const csrf = (await reader.context.cookies()).find(({ name }) => name === "svc_csrf_token")?.value ?? "";
	const answer = await reader.context.request.patch(`${service.root}/api/v1/admin/organizations/ann/plan`, {
		headers: { "X-CSRF-Token": csrf },
		data: { plan_tier: plan },
	});
	assert.equal(answer.status(), 200, await answer.text());
	await reader.leave();
}

/** Stores page views of this month, beside what the shop has. */
const store = (views: number) =>
	service.app.eventStore.command(
		`INSERT INTO events (site, date, ts, kind, page_view) VALUES ('shop', '2026-11-02', '2026-11-02 00:00:00', 'pageview', ${views})`,
	);

interface Usage {
	readonly human_events: number;
	readonly agent_events: number;
	readonly percentage: number;
}

test("owners see plan, events, what follows and all plans; the figures are the API's", async () => {
	await put("growth");
	await store(2_000_000);
	const reader = await service.read();
	const { page } = reader;
	await reader.goto("/organizations/ann");
	await page.getByRole("link", { name: "Billing" }).click();
	await page.waitForURL(`**${billing}`);
	const usage = await reader.api<Usage>("/billing/usage/current");
	const events = page.getByRole("region", { name: "Events", exact: true });
	await events.getByText(usage.human_events.toLocaleString("en-GB"), { exact: true }).waitFor();
	await events.getByText(`${Math.round(usage.percentage)} % of 5,000,000, November 2026`, { exact: false }).waitFor();
	await events.getByText("10 days left.", { exact: false }).waitFor();
	await events.getByText(`${usage.agent_events.toLocaleString("en-GB")} bot events`, { exact: false }).waitFor();
	await events.getByText("Within plan").waitFor();

	const plan = page.getByRole("region", { name: "Plan", exact: true });
	await plan.getByText("Growth", { exact: true }).waitFor();
	await plan.getByText("List price €599 per month").waitFor();
	await plan.getByText("The operator of this service sets the plan", { exact: false }).waitFor();
	assert.equal(await plan.getByRole("link", { name: "Set plan" }).count(), 0);

	const months = await reader.api<readonly Usage[]>("/billing/usage/history");
	const bars = page.getByRole("list", { name: "Events by month" }).getByRole("listitem");
	assert.equal(await bars.count(), months.length);
	assert.equal(
		await bars.first().locator("[title]").last().getAttribute("title"),
		months[0]?.human_events.toLocaleString("en-GB"),
	);
	await page.getByText("One month in 2026 can still be forgiven.").waitFor();
	await page.getByText("Tracking never stops.", { exact: false }).waitFor();

	const plans = page.getByRole("region", { name: "Plans" });
	await plans.getByRole("listitem").filter({ hasText: "Growth" }).getByText("Current plan").waitFor();
	await plans.getByText("€1,079 per month").waitFor();
	await plans.getByRole("tab", { name: "Yearly" }).click();
	await plans.getByText("€10,788 per year").waitFor();
	await plans.getByText("equals €899 per month").waitFor();
	// Without a payment provider nothing mentions payments.
	assert.equal(await page.getByRole("region", { name: "Invoices" }).count(), 0);
	await reader.leave();
});

test("the report tells an owner at 80 and at 100 percent what will follow, and nobody else", async () => {
	const reader = await service.read();
	const { page } = reader;
	const banner = page.getByRole("status").filter({ hasText: "Your organization" });
	await put("growth");
	await store(2_200_000);
	await reader.goto("/sites/shop");
	await banner.getByText(/has used 8\d % of its events/).waitFor();
	await banner.getByText("a second unforgiven month in a row upgrades you to Scale", { exact: false }).waitFor();
	await banner.getByRole("link", { name: "View usage" }).click();
	await page.waitForURL(`**${billing}`);
	await page.getByText("Near limit").waitFor();
	await reader.goto("/sites/shop");
	await banner.getByRole("button", { name: "Hide" }).click();
	await banner.waitFor({ state: "detached" });
	await page.evaluate(() => sessionStorage.clear());
	await store(1_000_000);
	await reader.goto("/sites/shop");
	await banner.getByText("has used all events of its plan", { exact: false }).waitFor();
	await put("free");
	await reader.load("/sites/shop?lang=es");
	await banner.getByText("At the limit, tracking stops on all sites.", { exact: false }).waitFor();
	await reader.leave();

	const boss = await service.read({ as: root });
	await boss.goto("/sites/shop");
	await boss.page.clock.runFor(3_000);
	assert.equal(await boss.page.getByText("has used all events").count(), 0);
	await boss.goto(billing);
	await boss.page.getByText("Stopped", { exact: true }).waitFor();
	await boss.page.getByRole("link", { name: "Set plan" }).click();
	await boss.page.getByRole("combobox", { name: "Plan of Ann" }).waitFor();
	assert.equal(await boss.page.getByRole("searchbox").inputValue(), "ann");
	await boss.leave();
});

test("admins and members of an organization are told whose it is, and are offered no way there", async () => {
	const bea = await signIn(service.app, { email: "bea@example.com", name: "Bea" });
	const { headers } = service.ann;
	const { id } = (await service.app.inject({ url: "/api/v1/organizations/ann", headers })).json().data;
	await tables(service.app.metadata)
		.insertInto("organization_members")
		.values({ organization_id: id, user_id: bea.userId, role: "admin", created_at: 0 })
		.execute();
	const reader = await service.read({ as: "bea@example.com", language: "es" });
	await reader.goto("/organizations/ann");
	assert.equal(await reader.page.getByRole("link", { name: "Facturación" }).count(), 0);
	await reader.goto(billing);
	await reader.page
		.getByText("Solo los propietarios de la organización pueden ver la facturación", { exact: false })
		.waitFor();
	await reader.leave();
});
