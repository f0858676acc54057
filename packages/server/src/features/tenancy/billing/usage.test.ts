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

	test("anybody sees the plans, their prices and what they hold", async () => {
		const answer = await app.inject({ url: "/api/v1/billing/plans" });
		assert.equal(answer.statusCode, 200);
		const plans: Record<string, unknown>[] = answer.json();
		assert.deepEqual(
			plans.map((plan) => [
				plan.tier,
				plan.price_monthly,
				plan.price_yearly,
				plan.seats,
				plan.accounts,
				plan.monthly_events,
				plan.lifetime_events,
				plan.data_retention_days,
				plan.api_requests_per_minute,
				plan.features,
				plan.is_popular,
			]),
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
		const { status, body } = await at.ask("GET /billing/usage/current");
		assert.equal(status, 200);
		assert.deepEqual(body, {
			org_id: at.organizationId,
			plan_tier: "growth",
			status: "ok",
			period_start: "2026-11-01T00:00:00.000Z",
			period_end: "2026-12-01T00:00:00.000Z",
			human_events: 1_003_000,
			agent_events: 40,
			event_limit: 5_000_000,
			percentage: 20.06,
			days_remaining: 10,
			last_synced_at: "2026-11-21T12:00:00.000Z",
			is_unlimited: false,
		});
		const overview = await at.ask("GET /billing/overview");
		assert.deepEqual(overview.body, {
			subscription: null,
			usage: {
				human_events: 1_003_000,
				agent_events: 40,
				event_limit: 5_000_000,
				percentage: 20.06,
				days_remaining: 10,
				is_unlimited: false,
			},
			upcoming_invoice: null,
			payment_method: null,
		});
		assert.deepEqual((await at.ask("GET /billing/usage/history")).body, [
			{
				period_start: "2026-11-01T00:00:00.000Z",
				period_end: "2026-12-01T00:00:00.000Z",
				human_events: 1_003_000,
				agent_events: 40,
			},
			{
				period_start: "2026-10-01T00:00:00.000Z",
				period_end: "2026-11-01T00:00:00.000Z",
				human_events: 600,
				agent_events: 2,
			},
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
		for (const [route, body] of asked) {
			const answer = await at.ask(route, body);
			const { error } = answer.body as { error: { code: string; message: string } };
			const expected = [503, "service_unavailable", "Nothing is sold here: STRIPE_SECRET_KEY is not set"];
			assert.deepEqual([answer.status, error.code, error.message], expected, route);
		}
	});

	test("what was counted stays counted when data are deleted", async () => {
		await app.eventStore.command(
			`ALTER TABLE events DELETE WHERE site = '${at.sites[0]}' AND date = '2026-11-01' SETTINGS mutations_sync = 1`,
		);
		const { body } = await at.ask("GET /billing/usage/current");
		assert.equal((body as { human_events: number }).human_events, 1_003_000);
	});

	test("while the event store is away the figures are those of the last count, and say so", async () => {
		app.clock.advance(7_200_000);
		isStoreAway = true;
		const away = await at.ask("GET /billing/usage/current");
		isStoreAway = false;
		const { human_events, last_synced_at } = away.body as Record<string, unknown>;
		assert.deepEqual([human_events, last_synced_at], [1_003_000, "2026-11-21T12:00:00.000Z"]);
	});

	test("a plan without a limit has no percentage, and the free one counts from the beginning", async () => {
		await at.put("enterprise");
		const whole = (await at.ask("GET /billing/usage/current")).body as Record<string, unknown>;
		assert.deepEqual([whole.event_limit, whole.percentage, whole.is_unlimited, whole.status], [null, 0, true, "ok"]);
		await at.put("free");
		const free = (await at.ask("GET /billing/usage/current")).body as Record<string, unknown>;
		assert.deepEqual([free.human_events, free.event_limit, free.status], [1_003_600, 1_000_000, "stopped"]);
		const { usage } = (await at.ask("GET /billing/overview")).body as { usage: Record<string, unknown> };
		assert.equal(usage.days_remaining, null);
		await at.put("growth");
	});

	test("it is for owners of the organization, superadmins name one; of others nothing is told", async () => {
		const stranger = await billingSite(app, "Zoe");
		const member = await signIn(app, { email: "mia@example.com", name: "Mia" });
		const path = `GET /billing/usage/current?org_id=${at.organizationId}`;
		const answers = [
			await at.ask(path),
			await at.ask(path, undefined, at.root),
			await at.ask("GET /billing/usage/current", undefined, at.root),
			await at.ask(path, undefined, stranger.owner),
			await at.ask("GET /billing/usage/current?org_id=00000000-0000-4000-8000-000000000000"),
			await at.ask(path, undefined, member),
			await at.ask("GET /billing/usage/current?org_id=nonsense"),
		];
		assert.deepEqual(
			answers.map(({ status }) => status),
			[200, 200, 404, 404, 404, 403, 422],
		);
		const seat = { user_id: stranger.owner.userId, role: "member" };
		assert.equal((await at.ask("POST /organizations/ann/members", seat, at.root)).status, 201);
		assert.equal((await at.ask(path, undefined, stranger.owner)).status, 403);
	});

	test("the address for invoices is kept, and its change is in the audit log", async () => {
		assert.deepEqual((await at.ask("GET /billing/accounting-email")).body, { accounting_email: null });
		const put = await at.ask("PUT /billing/accounting-email", { email: "books@shop.example" });
		assert.deepEqual(put, { status: 200, body: { accounting_email: "books@shop.example" } });
		assert.deepEqual((await at.ask("GET /billing/accounting-email")).body, { accounting_email: "books@shop.example" });
		for (const email of ["nobody", 7, "a@b.example\r\nBcc: c@d.example"]) {
			assert.equal((await at.ask("PUT /billing/accounting-email", { email })).status, 422);
		}
		const log = (await at.ask("GET /audit/logs?action=organization.updated", undefined, at.root)).body as {
			data: { logs: { details: unknown }[] };
		};
		assert.deepEqual(log.data.logs[0]?.details, { accounting_email: [null, "books@shop.example"] });
	});
});
