import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { sharedTestApp, signIn } from "../../../../test/support/accounts.ts";
import { type BillingSite, billingSite } from "../../../../test/support/billing-site.ts";
import type { EventStore } from "../../../platform/event-store/event-store.ts";

describe("what an organization uses of its plan", () => {
	let at: BillingSite;
	let isStoreAway = false;
	const wrapEventStore = (store: EventStore): EventStore => ({
		...store,
		query: (question) => (isStoreAway ? Promise.reject(new Error("away")) : store.query(question)),
	});
	const app = sharedTestApp({ wrapEventStore });

	before(async () => {
		at = await billingSite(app);
	});
	const usage = async () => (await at.ask("GET /billing/usage/current")).body as Record<string, unknown>;

	test("anybody sees the plans, their prices and what they hold", async () => {
		const answer = await app.inject({ url: "/api/v1/billing/plans" });
		const columns = ["tier", "price_monthly", "price_yearly", "seats", "accounts", "monthly_events", "lifetime_events"];
		columns.push("data_retention_days", "api_requests_per_minute", "features", "is_popular");
		const plans: Record<string, unknown>[] = answer.json();
		assert.deepEqual(
			plans.map((plan) => columns.map((column) => plan[column])),
			[
				["free", 0, 0, 2, 1, null, 1_000_000, null, 240, [], false],
				["growth", 59_900, 598_800, 5, 10, 5_000_000, null, null, 240, [], false],
				["scale", 107_900, 1_078_800, 15, 30, 15_000_000, null, null, 480, ["webhooks", "audit"], true],
				["enterprise", null, null, null, null, null, null, null, 10_000, ["webhooks", "audit", "ip_allowlist"], false],
			],
		);
	});

	test("events of all sites count, also of a site that rests; imports never do, and programs are told apart", async () => {
		await at.put("growth");
		await at.events("2026-11-01", 3000);
		await at.events("2026-11-20", 1_000_000);
		await at.events("2026-10-31", 600);
		await at.events("2026-11-02", 500, { importId: "5e9f2f4e-0000-4000-8000-000000000001" });
		await at.agents("2026-11-03", 40);
		await at.agents("2026-10-03", 2);
		const counted = { human_events: 1_003_000, agent_events: 40 };
		const share = { ...counted, event_limit: 5_000_000, percentage: 20.06, days_remaining: 10, is_unlimited: false };
		const period = { period_start: "2026-11-01T00:00:00.000Z", period_end: "2026-12-01T00:00:00.000Z" };
		assert.deepEqual(await usage(), {
			...share,
			...period,
			org_id: at.organizationId,
			plan_tier: "growth",
			status: "ok",
			last_synced_at: "2026-11-21T12:00:00.000Z",
		});
		const overview = { subscription: null, usage: share, upcoming_invoice: null, payment_method: null };
		assert.deepEqual((await at.ask("GET /billing/overview")).body, overview);
		const before = { period_start: "2026-10-01T00:00:00.000Z", period_end: period.period_start };
		assert.deepEqual((await at.ask("GET /billing/usage/history")).body, [
			{ ...period, ...counted },
			{ ...before, human_events: 600, agent_events: 2 },
		]);
		assert.equal(((await at.ask("GET /billing/usage/history?limit=1")).body as unknown[]).length, 1);
	});

	test("without a payment provider nothing is bought", async () => {
		assert.deepEqual(await at.ask("GET /billing/subscription"), { status: 200, body: null });
		assert.deepEqual(await at.ask("GET /billing/subscription/history"), { status: 200, body: [] });
		assert.deepEqual(await at.ask("GET /billing/invoices"), { status: 200, body: [] });
		const asked: readonly (readonly [string, object?])[] = [
			["POST /billing/checkout", { plan_tier: "growth", billing_interval: "monthly" }],
			["POST /billing/portal", {}],
			["POST /billing/coupons/validate", { code: "SPRING" }],
			["POST /billing/subscription/cancel"],
			["POST /billing/subscription/resume"],
			["POST /billing/provider-webhook", {}],
		];
		const error = {
			code: "service_unavailable",
			message: "Plans are not sold on this server: STRIPE_SECRET_KEY is not set",
		};
		for (const [route, body] of asked) {
			const answer = await at.ask(route, body);
			assert.deepEqual([answer.status, (answer.body as { error: unknown }).error], [503, error], route);
		}
	});

	test("what was counted stays counted when data are deleted, and while the event store is away", async () => {
		await app.eventStore.command(
			`ALTER TABLE events DELETE WHERE site = '${at.sites[0]}' AND date = '2026-11-01' SETTINGS mutations_sync = 1`,
		);
		assert.equal((await usage()).human_events, 1_003_000);
		app.clock.advance(7_200_000);
		isStoreAway = true;
		const { human_events, last_synced_at } = await usage();
		isStoreAway = false;
		assert.deepEqual([human_events, last_synced_at], [1_003_000, "2026-11-21T12:00:00.000Z"]);
	});

	test("a plan without a limit has no percentage, and the free one counts from the beginning", async () => {
		await at.put("enterprise");
		const whole = await usage();
		assert.deepEqual([whole.event_limit, whole.percentage, whole.is_unlimited, whole.status], [null, 0, true, "ok"]);
		await at.put("free");
		const free = await usage();
		assert.deepEqual([free.human_events, free.event_limit, free.status], [1_003_600, 1_000_000, "stopped"]);
		const { usage: shown } = (await at.ask("GET /billing/overview")).body as { usage: Record<string, unknown> };
		assert.equal(shown.days_remaining, null);
	});

	test("it is for owners of the organization, superadmins name one; of others nothing is told", async () => {
		const { owner: stranger } = await billingSite(app, "Zoe");
		const member = await signIn(app, { email: "mia@example.com", name: "Mia" });
		const route = "GET /billing/usage/current";
		const path = `${route}?org_id=${at.organizationId}`;
		const answers = [
			await at.ask(path),
			await at.ask(path, undefined, at.root),
			await at.ask(route, undefined, at.root),
			await at.ask(path, undefined, stranger),
			await at.ask(`${route}?org_id=00000000-0000-4000-8000-000000000000`),
			await at.ask(path, undefined, member),
			await at.ask(`${route}?org_id=nonsense`),
			await at.ask("POST /organizations/ann/members", { user_id: stranger.userId, role: "member" }, at.root),
			await at.ask(path, undefined, stranger),
		];
		const statuses = answers.map(({ status }) => status);
		assert.deepEqual(statuses, [200, 200, 404, 404, 404, 403, 422, 201, 403]);
	});

	test("the address for invoices is kept, and its change is in the audit log", async () => {
		const route = "/billing/accounting-email";
		assert.deepEqual((await at.ask(`GET ${route}`)).body, { accounting_email: null });
		const kept = { status: 200, body: { accounting_email: "books@shop.example" } };
		assert.deepEqual(await at.ask(`PUT ${route}`, { email: "books@shop.example" }), kept);
		for (const email of ["nobody", 7, "a@b.example\r\nBcc: c@d.example"]) {
			assert.equal((await at.ask(`PUT ${route}`, { email })).status, 422);
		}
		assert.deepEqual(await at.ask(`GET ${route}`), kept);
		const log = (await at.ask("GET /audit/logs?action=organization.updated", undefined, at.root)).body as {
			data: { logs: { details: unknown }[] };
		};
		assert.deepEqual(log.data.logs[0]?.details, { accounting_email: [null, "books@shop.example"] });
	});
});
