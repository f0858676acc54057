import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import fc from "fast-check";
import { sharedTestApp } from "../../../../test/support/accounts.ts";
import { type BillingSite, billingSite } from "../../../../test/support/billing-site.ts";
import { mailbox } from "../../../../test/support/mailbox.ts";
import type { EventStore } from "../../../platform/event-store/event-store.ts";
import { periodAt, periodBefore, type Term } from "./periods.ts";
import { judgePeriod } from "./watch-usage.ts";

const ran = (start: string, anchor = start, end: string | null = null): Term => ({ start, end, anchor });
const trial = [ran("2026-03-10", "2026-03-24")];
const ended = [ran("2026-01-10", "2026-01-10", "2026-03-15")];
const periods: readonly (readonly [what: string, terms: readonly Term[], day: string, start: string, end: string])[] = [
	["without a subscription, the calendar month", [], "2026-02-28", "2026-02-01", "2026-03-01"],
	["a trial ends where its months begin", trial, "2026-03-23", "2026-03-10", "2026-03-24"],
	["a month of the subscription", trial, "2026-05-23", "2026-04-24", "2026-05-24"],
	["from a 31st: the last day of shorter ones", [ran("2026-01-31")], "2026-03-01", "2026-02-28", "2026-03-31"],
	["the calendar month is cut where a subscription begins", trial, "2026-03-09", "2026-03-01", "2026-03-10"],
	["and where one ended", ended, "2026-03-15", "2026-03-15", "2026-04-01"],
	["the last month of a subscription ends with it", ended, "2026-03-12", "2026-03-10", "2026-03-15"],
	["of two the later", [ran("2026-01-10"), ran("2026-02-20")], "2026-02-25", "2026-02-20", "2026-03-20"],
];

test("the period of a day follows from the subscriptions", () => {
	for (const [what, terms, day, start, end] of periods) assert.deepEqual(periodAt(terms, day), { start, end }, what);
});

const days = fc
	.integer({ min: 0, max: 1200 })
	.map((n) => Temporal.PlainDate.from("2024-01-01").add({ days: n }).toString());
const term = fc
	.tuple(days, fc.option(fc.integer({ min: 0, max: 500 })), fc.integer({ min: 0, max: 30 }))
	.map(([start, length, trialDays]): Term => {
		const after = (count: number) => Temporal.PlainDate.from(start).add({ days: count }).toString();
		return { start, end: length === null ? null : after(length), anchor: after(trialDays) };
	});

test("with any subscriptions, every day is in one period, and periods follow each other", () => {
	const holds = fc.property(fc.array(term, { maxLength: 4 }), days, (terms, day) => {
		let period = periodAt(terms, day);
		assert.ok(period.start <= day && day < period.end, JSON.stringify(period));
		for (let n = 0; n < 15; n++) {
			const last = Temporal.PlainDate.from(period.end).subtract({ days: 1 }).toString();
			assert.deepEqual(periodAt(terms, period.start), period);
			assert.deepEqual(periodAt(terms, last), period);
			const before = periodBefore(terms, period);
			assert.equal(before.end, period.start);
			period = before;
		}
	});
	fc.assert(holds, { numRuns: 300 });
});

type Ended = Parameters<typeof judgePeriod>[0];
const notified = { plan_tier: "growth", action_taken: "notified" } as const;
/** What differs from a month of growth that is the second in a row to exceed the plan, and its outcome. */
const outcomes: readonly (readonly [Partial<Ended>, ReturnType<typeof judgePeriod>])[] = [
	[{}, "upgraded"],
	[{ events: 5 }, "none"],
	[{ events: 5, isForgivenessUsed: false }, "none"],
	[{ isForgivenessUsed: false }, "forgiven"],
	[{ before: undefined }, "notified"],
	[{ before: { ...notified, action_taken: "forgiven" } }, "notified"],
	[{ before: { ...notified, plan_tier: "scale" } }, "notified"],
	[{ planNow: "free" }, "notified"],
	[{ planNow: "enterprise" }, "notified"],
	[{ plan: "scale", planNow: "scale" }, "notified"],
	[{ plan: "scale", planNow: "scale", before: { ...notified, plan_tier: "scale" } }, "notified"],
];

test("consequences of a period: every case", () => {
	const usage = { limit: 5, events: 6, isForgivenessUsed: true };
	const second: Omit<Ended, "before"> = { plan: "growth", planNow: "growth", ...usage };
	for (const [change, expected] of outcomes) {
		assert.equal(judgePeriod({ ...second, before: notified, ...change }), expected, JSON.stringify(change));
	}
});

let isStoreAway = false;
const wrapEventStore = (store: EventStore): EventStore => ({
	...store,
	query: (question) => (isStoreAway ? Promise.reject(new Error("away")) : store.query(question)),
});
const app = sharedTestApp({ now: "2025-11-21T12:00:00.000Z", wrapEventStore, seeksInsights: false });

describe("what an organization uses of its plan", () => {
	let at: BillingSite;

	before(async () => {
		at = await billingSite(app);
	});
	const usage = async () => (await at.ask("GET /billing/usage/current")).body;

	test("anybody sees the plans, their prices and what they hold", async () => {
		const answer = await app.inject({ url: "/api/v1/billing/plans" });
		const columns = ["tier", "price_monthly", "price_yearly", "seats", "accounts", "monthly_events", "lifetime_events"];
		columns.push("data_retention_days", "api_requests_per_minute", "features", "is_popular");
		const plans: Record<string, unknown>[] = answer.json();
		const found = plans.map((plan) => columns.map((column) => plan[column]));
		assert.deepEqual(found, [
			["free", 0, 0, 2, 1, null, 1_000_000, null, 240, [], false],
			["growth", 59_900, 598_800, 5, 10, 5_000_000, null, null, 240, [], false],
			["scale", 107_900, 1_078_800, 15, 30, 15_000_000, null, null, 480, ["webhooks", "audit"], true],
			["enterprise", null, null, null, null, null, null, null, 10_000, ["webhooks", "audit", "ip_allowlist"], false],
		]);
	});

	test("events of all sites count, also of a site that rests; imports never do, and programs are told apart", async () => {
		await at.put("growth");
		await at.events("2025-11-01", 3000);
		await at.events("2025-11-20", 1_000_000);
		await at.events("2025-10-31", 600);
		await at.events("2025-11-02", 500, { importId: "5e9f2f4e-0000-4000-8000-000000000001" });
		await at.agents("2025-11-03", 40);
		await at.agents("2025-10-03", 2);
		const counted = { human_events: 1_003_000, agent_events: 40 };
		const share = { ...counted, event_limit: 5_000_000, percentage: 20.06, days_remaining: 10, is_unlimited: false };
		const period = { period_start: "2025-11-01T00:00:00.000Z", period_end: "2025-12-01T00:00:00.000Z" };
		assert.deepEqual(await usage(), {
			...share,
			...period,
			org_id: at.organizationId,
			plan_tier: "growth",
			status: "ok",
			last_synced_at: "2025-11-21T12:00:00.000Z",
		});
		const overview = { subscription: null, usage: share, upcoming_invoice: null, payment_method: null };
		assert.deepEqual((await at.ask("GET /billing/overview")).body, overview);
		const before = { period_start: "2025-10-01T00:00:00.000Z", period_end: period.period_start };
		assert.deepEqual((await at.ask("GET /billing/usage/history")).body, [
			{ ...period, ...counted },
			{ ...before, human_events: 600, agent_events: 2 },
		]);
		assert.equal((await at.ask("GET /billing/usage/history?limit=1")).body.length, 1);
	});

	test("without a payment provider nothing is bought", async () => {
		for (const [what, body] of Object.entries({ subscription: null, "subscription/history": [], invoices: [] })) {
			assert.deepEqual(await at.ask(`GET /billing/${what}`), { status: 200, body });
		}
		const message = "Plans are not sold on this server: STRIPE_SECRET_KEY is not set";
		const error = { code: "service_unavailable", message };
		for (const [route, body] of [
			["POST /billing/checkout", { plan_tier: "growth", billing_interval: "monthly" }],
			["POST /billing/portal", {}],
			["POST /billing/coupons/validate", { code: "SPRING" }],
		] as const) {
			const answer = await at.ask(route, body);
			assert.deepEqual([answer.status, answer.body.error], [503, error], route);
		}
	});

	test("counted hits stay counted when data are deleted, and while the event store is away", async () => {
		await app.eventStore.command(
			`ALTER TABLE events DELETE WHERE site = '${at.sites[0]}' AND date = '2025-11-01' SETTINGS mutations_sync = 1`,
		);
		assert.equal((await usage()).human_events, 1_003_000);
		app.clock.advance(7_200_000);
		isStoreAway = true;
		const { human_events, last_synced_at } = await usage();
		isStoreAway = false;
		assert.deepEqual([human_events, last_synced_at], [1_003_000, "2025-11-21T12:00:00.000Z"]);
	});

	test("a plan without a limit has no percentage, and the free one counts from the beginning", async () => {
		await at.put("enterprise");
		const whole = await usage();
		assert.deepEqual([whole.event_limit, whole.percentage, whole.is_unlimited, whole.status], [null, 0, true, "ok"]);
		await at.put("free");
		const free = await usage();
		assert.deepEqual([free.human_events, free.event_limit, free.status], [1_003_600, 1_000_000, "stopped"]);
		const { usage: shown } = (await at.ask("GET /billing/overview")).body;
		assert.equal(shown.days_remaining, null);
	});

	test("owners of several organizations and superadmins name one; one that is not theirs does not exist", async () => {
		const route = "GET /billing/usage/current";
		const path = `${route}?org_id=${at.organizationId}`;
		const { owner: stranger } = await billingSite(app, "Eva");
		const answers = [
			await at.ask(path),
			await at.ask(path, undefined, at.root),
			await at.ask(route, undefined, at.root),
			await at.ask(path, undefined, stranger),
			await at.ask(`${route}?org_id=00000000-0000-4000-8000-000000000000`),
			await at.ask("POST /organizations/ann/members", { user_id: stranger.userId, role: "member" }, at.root),
			await at.ask(path, undefined, stranger),
		];
		const statuses = answers.map(({ status }) => status);
		assert.deepEqual(statuses, [200, 200, 404, 404, 404, 201, 403]);
	});

	test("the address for invoices is kept, and its change is in the audit log", async () => {
		const route = "/billing/accounting-email";
		assert.deepEqual((await at.ask(`GET ${route}`)).body, { accounting_email: null });
		const kept = { status: 200, body: { accounting_email: "books@shop.example" } };
		assert.deepEqual(await at.ask(`PUT ${route}`, { email: "books@shop.example" }), kept);
		assert.deepEqual(await at.ask(`GET ${route}`), kept);
		const { data } = (await at.ask("GET /audit/logs?action=organization.updated", undefined, at.root)).body;
		assert.deepEqual(data.logs[0]?.details, { accounting_email: [null, "books@shop.example"] });
	});
});

interface Status {
	readonly history: readonly Record<string, unknown>[];
	readonly forgiveness_available: boolean;
	readonly forgiveness_year: number;
}

describe("plans that are exceeded", () => {
	let at: BillingSite;
	/** An organization whose periods are judged: they are from the first look on. */
	const watched = async (name: string, plan: string) => {
		const site = await billingSite(app, name);
		await site.put(plan);
		await app.jobs.runDue();
		app.clock.advance(600_000);
		await app.jobs.runDue();
		return site;
	};
	before(async () => {
		app.clock.set("2026-01-10T12:00:00.000Z");
		at = await watched("Kim", "growth");
	});
	const statusOf = async (site: BillingSite): Promise<Status> => (await site.ask("GET /billing/overage-status")).body;
	const planOf = async (site: BillingSite, slug: string) =>
		(await site.ask(`GET /organizations/${slug}`)).body.data.plan_tier;

	/** Months by their first days with their events, and the decision two days after their end. */
	const year = [
		["2026-01-01", 4_000_000, "growth", 0, "none", true],
		["2026-02-01", 5_500_000, "growth", 10, "forgiven", false],
		["2026-03-01", 6_000_001, "growth", 20, "notified", false],
		// A period within the limit ends the row.
		["2026-04-01", 5_000_000, "growth", 0, "none", false],
		["2026-05-01", 5_000_001, "growth", 0, "notified", false],
		["2026-06-01", 7_500_000, "growth", 50, "upgraded", false],
		["2026-07-01", 7_500_000, "scale", 0, "none", false],
		["2026-08-01", 15_000_003, "scale", 0, "notified", false],
		["2026-09-01", 16_000_000, "scale", 6.67, "notified", false],
		// A new year, a new forgiveness.
		["2026-12-01", 10, "scale", 0, "none", true],
		["2027-01-01", 15_000_500, "scale", 0, "forgiven", false],
	] as const;

	test("a year of periods: one is forgiven, the second in a row that is not moves to scale, scale gets mail", async () => {
		/** First days of the periods that mails told of: the outbox forgets them after thirty days. */
		const told = new Set<string>();
		for (const [first, events, ...expected] of year) {
			await at.events(first, events);
			app.clock.set(`${Temporal.PlainDate.from(first).add({ months: 1, days: 2 })}T00:05:00.000Z`);
			await app.jobs.runDue();
			for (const { subject, text } of await mailbox(app).to("kim@example.com")) {
				if (subject === "Kim exceeded its plan") told.add(/From (\S+) to/.exec(text)?.[1] ?? text);
			}
			const { history, forgiveness_available: isLeft } = await statusOf(at);
			const { period_start, plan_tier, total_events, overage_percent, action_taken } = history[0] ?? {};
			assert.deepEqual([period_start, total_events], [`${first}T00:00:00.000Z`, events]);
			assert.deepEqual([plan_tier, overage_percent, action_taken, isLeft], expected, first);
		}
		const exceeded = year.filter(([, , , , action]) => action !== "none").map(([first]) => first);
		assert.deepEqual([...told], exceeded);
		const { history, forgiveness_year } = await statusOf(at);
		const forgiven = history.filter(({ is_forgiven }) => is_forgiven).map(({ period_start }) => period_start);
		assert.deepEqual(forgiven, ["2027-01-01T00:00:00.000Z", "2026-02-01T00:00:00.000Z"]);
		assert.deepEqual([history.length, forgiveness_year], [12, 2027]);
		const { body } = await at.ask("GET /audit/logs?action=plan.changed", undefined, at.root);
		const logs: Record<string, unknown>[] = body.data.logs;
		const moves = logs.filter(({ user_id }) => user_id === null).map(({ details }) => details);
		assert.deepEqual(moves, [{ plan_tier: ["growth", "scale"] }], "the move is nobody's doing");
	});

	test("a plan that changes after the end of a period: the period is judged by the one before", async () => {
		const [bea, cid] = [await watched("Bea", "scale"), await watched("Cid", "growth")];
		await bea.events("2027-02-15", 10_000_000);
		await cid.events("2027-02-15", 6_000_000);
		app.clock.set("2027-03-01T08:00:00.000Z");
		await bea.put("growth");
		await cid.put("free");
		app.clock.set("2027-03-03T00:05:00.000Z");
		await app.jobs.runDue();
		const judged = async (site: BillingSite, slug: string) => {
			const { plan_tier, event_limit, action_taken } = (await statusOf(site)).history[0] ?? {};
			return [plan_tier, event_limit, action_taken, await planOf(site, slug)];
		};
		assert.deepEqual(await judged(bea, "bea"), ["scale", 15_000_000, "none", "growth"]);
		assert.deepEqual(await judged(cid, "cid"), ["growth", 5_000_000, "forgiven", "free"]);
	});

	test("owners are told once a period of 80, 100 and 120 percent; on the free plan once, and that collection stops", async () => {
		const [mia, zoe] = [await watched("Mia", "growth"), await watched("Zoe", "free")];
		const mails = async (name: string) => {
			app.clock.advance(600_000);
			const all = await mailbox(app).to(`${name}@example.com`);
			return all.filter(({ subject }) => subject?.includes("events used"));
		};
		const told = async (name = "mia") => (await mails(name)).map(({ subject }) => /\d+ %/.exec(subject ?? "")?.[0]);
		app.clock.set("2027-03-21T12:00:00.000Z");
		await mia.events("2027-03-05", 3_999_999);
		assert.deepEqual(await told(), []);
		await mia.events("2027-03-06", 1);
		assert.deepEqual(await told(), ["80 %"]);
		assert.deepEqual(await told(), ["80 %"]);
		await mia.events("2027-03-07", 1_000_000);
		assert.deepEqual(await told(), ["80 %", "100 %"]);
		await mia.events("2027-03-08", 1_000_000);
		assert.deepEqual(await told(), ["80 %", "100 %", "120 %"]);
		await zoe.events("2027-03-02", 1_000_000);
		const [stopped, ...more] = await mails("zoe");
		assert.deepEqual([stopped?.subject, more], ["Zoe: 100 % of the plan's events used", []]);
		assert.match(stopped?.text ?? "", /Tracking has stopped\. Reports remain available/);
		// The mails of the month before have left the outbox by then.
		app.clock.set("2027-04-25T00:03:00.000Z");
		await mia.events("2027-04-22", 5_000_000);
		assert.deepEqual([await told("zoe"), await told()], [[], ["100 %"]]);
		await mia.events("2027-04-23", 1_000_000);
		assert.deepEqual(await told(), ["100 %", "120 %"]);
	});
});
