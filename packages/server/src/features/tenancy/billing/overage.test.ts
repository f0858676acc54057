import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type BillingSite, billingSite } from "../../../../test/support/billing-site.ts";
import { mailbox } from "../../../../test/support/mailbox.ts";
import { type TestApp, testApp } from "../../../../test/support/test-app.ts";
import { judgePeriod } from "./judge-period.ts";

interface Status {
	readonly history: readonly Record<string, unknown>[];
	readonly forgiveness_available: boolean;
	readonly forgiveness_year: number;
}

describe("plans that are exceeded", () => {
	let app: TestApp;
	let at: BillingSite;

	before(async () => {
		app = await testApp({ now: "2026-01-10T12:00:00.000Z" });
		at = await billingSite(app);
		await at.put("growth");
		await app.jobs.runDue();
		// From the first look on, periods are judged.
		app.clock.advance(600_000);
		await app.jobs.runDue();
	});
	after(() => app.close());

	const status = async () => (await at.ask("GET /billing/overage-status")).body as Status;
	/** First days of the periods that mails told of: the outbox forgets them after thirty days. */
	const told = new Set<string>();

	/** Events of a month, by its first day, and the decision two days after its end. */
	async function month(first: string, events: number): Promise<unknown> {
		await at.events(first, events);
		app.clock.set(`${Temporal.PlainDate.from(first).add({ months: 1, days: 2 })}T00:05:00.000Z`);
		await app.jobs.runDue();
		const mails = await mailbox(app).to("ann@example.com");
		for (const { text } of mails.filter(({ subject }) => subject === "Ann exceeded its plan")) {
			told.add(/From (\S+) to/.exec(text)?.[1] ?? text);
		}
		const [latest] = (await status()).history;
		return [
			latest?.period_start,
			latest?.plan_tier,
			latest?.total_events,
			latest?.overage_percent,
			latest?.action_taken,
		];
	}

	test("a year of periods: one is forgiven, the second in a row that is not moves to scale, scale gets mail", async () => {
		assert.deepEqual(await month("2026-01-01", 4_000_000), [
			"2026-01-01T00:00:00.000Z",
			"growth",
			4_000_000,
			0,
			"none",
		]);
		assert.deepEqual((await status()).forgiveness_available, true);
		const second = ["2026-02-01T00:00:00.000Z", "growth", 5_500_000, 10, "forgiven"];
		assert.deepEqual(await month("2026-02-01", 5_500_000), second);
		assert.deepEqual([(await status()).forgiveness_available, (await status()).forgiveness_year], [false, 2026]);
		const third = ["2026-03-01T00:00:00.000Z", "growth", 6_000_001, 20, "notified"];
		assert.deepEqual(await month("2026-03-01", 6_000_001), third);
		// A period within the limit ends the row.
		assert.deepEqual(((await month("2026-04-01", 5_000_000)) as unknown[]).at(-1), "none");
		assert.deepEqual(((await month("2026-05-01", 5_000_001)) as unknown[]).at(-1), "notified");
		const sixth = ["2026-06-01T00:00:00.000Z", "growth", 7_500_000, 50, "upgraded"];
		assert.deepEqual(await month("2026-06-01", 7_500_000), sixth);
		const { body } = await at.ask("GET /organizations/ann");
		assert.equal((body as { data: { plan_tier: string } }).data.plan_tier, "scale");
		assert.deepEqual(((await month("2026-07-01", 7_500_000)) as unknown[]).at(-1), "none");
		const eighth = ["2026-08-01T00:00:00.000Z", "scale", 15_000_003, 0, "notified"];
		assert.deepEqual(await month("2026-08-01", 15_000_003), eighth);
		assert.deepEqual(((await month("2026-09-01", 16_000_000)) as unknown[]).at(-1), "notified");
		for (const quiet of ["2026-10-01", "2026-11-01", "2026-12-01"]) await month(quiet, 10);
		// A new year, a new forgiveness.
		assert.deepEqual((await status()).forgiveness_available, true);
		assert.deepEqual(((await month("2027-01-01", 15_000_500)) as unknown[]).at(-1), "forgiven");
		const { history } = await status();
		assert.equal(history.length, 12);
		assert.deepEqual(
			history.filter(({ is_forgiven }) => is_forgiven).map(({ period_start }) => period_start),
			["2027-01-01T00:00:00.000Z", "2026-02-01T00:00:00.000Z"],
		);
		const exceeded = ["2026-02", "2026-03", "2026-05", "2026-06", "2026-08", "2026-09", "2027-01"];
		assert.deepEqual(
			[...told],
			exceeded.map((first) => `${first}-01`),
		);
	});

	test("the move to a larger plan is in the audit log, as nobody's doing", async () => {
		const { body } = await at.ask("GET /audit/logs?action=plan.changed", undefined, at.root);
		const { logs } = (body as { data: { logs: Record<string, unknown>[] } }).data;
		const moves = logs.filter(({ user_id }) => user_id === null).map(({ details }) => details);
		assert.deepEqual(moves, [{ plan_tier: ["growth", "scale"] }]);
	});
});

describe("a plan that changes after the end of a period", () => {
	const cases = [
		["scale", "growth", 10_000_000, ["scale", 15_000_000, "none"]],
		["growth", "free", 6_000_000, ["growth", 5_000_000, "forgiven"]],
	] as const;
	for (const [plan, later, events, expected] of cases) {
		test(`from ${plan} to ${later}: the period is judged by ${plan}`, async (t) => {
			const app = await testApp({ now: "2026-01-10T12:00:00.000Z" });
			t.after(() => app.close());
			const at = await billingSite(app);
			await at.put(plan);
			await app.jobs.runDue();
			app.clock.advance(600_000);
			await app.jobs.runDue();
			await at.events("2026-01-15", events);
			app.clock.set("2026-02-01T08:00:00.000Z");
			await at.put(later);
			app.clock.set("2026-02-03T00:05:00.000Z");
			await app.jobs.runDue();
			const [last] = ((await at.ask("GET /billing/overage-status")).body as Status).history;
			assert.deepEqual([last?.plan_tier, last?.event_limit, last?.action_taken], expected);
			const { data } = (await at.ask("GET /organizations/ann")).body as { data: { plan_tier: string } };
			assert.equal(data.plan_tier, later);
		});
	}
});

describe("mails about what is used", () => {
	let app: TestApp;
	let at: BillingSite;

	before(async () => {
		app = await testApp();
		at = await billingSite(app);
		await at.put("growth");
	});
	after(() => app.close());

	const look = async () => {
		app.clock.advance(600_000);
		const mails = await mailbox(app).to("ann@example.com");
		return mails.map(({ subject }) => subject).filter((subject) => subject?.includes("events are used"));
	};
	const told = (percent: number) => `Ann: ${percent} % of the plan's events are used`;

	test("owners are told once a period of 80, 100 and 120 percent, and of no share that was not reached", async () => {
		await look();
		await at.events("2026-11-05", 3_999_999);
		assert.deepEqual(await look(), []);
		await at.events("2026-11-06", 1);
		assert.deepEqual(await look(), [told(80)]);
		assert.deepEqual(await look(), [told(80)]);
		await at.events("2026-11-07", 1_000_000);
		assert.deepEqual(await look(), [told(80), told(100)]);
		await at.events("2026-11-08", 1_000_000);
		assert.deepEqual(await look(), [told(80), told(100), told(120)]);
		app.clock.set("2026-12-03T00:03:00.000Z");
		await at.events("2026-12-02", 5_000_000);
		assert.deepEqual((await look()).slice(3), [told(100)]);
		await at.events("2026-12-03", 1_000_000);
		assert.deepEqual((await look()).slice(4), [told(120)]);
	});

	test("on the free plan they are told once for ever, and that collection stops", async () => {
		const zoe = await billingSite(app, "Zoe");
		await zoe.put("free");
		await zoe.events("2026-12-01", 1_000_000);
		await look();
		const mails = (await mailbox(app).to("zoe@example.com")).filter(({ subject }) =>
			subject?.includes("events are used"),
		);
		assert.deepEqual(
			mails.map(({ subject }) => subject),
			["Zoe: 100 % of the plan's events are used"],
		);
		assert.match(mails[0]?.text ?? "", /Nothing more is collected\. Reports stay readable/);
		app.clock.set("2027-01-04T00:03:00.000Z");
		await look();
		const later = (await mailbox(app).to("zoe@example.com")).filter(({ subject }) =>
			subject?.includes("events are used"),
		);
		// The first one has left the outbox by now.
		assert.deepEqual(later, []);
	});
});

const limits = { growth: 5_000_000, scale: 15_000_000 } as const;
const judged = (
	plan: "growth" | "scale",
	over: boolean,
	isForgivenessUsed: boolean,
	before?: Parameters<typeof judgePeriod>[0]["before"],
	planNow: Parameters<typeof judgePeriod>[0]["planNow"] = plan,
) =>
	judgePeriod({ plan, planNow, limit: limits[plan], events: limits[plan] + (over ? 1 : 0), isForgivenessUsed, before });

test("what follows from a period: every case", () => {
	const growthNotified = { plan_tier: "growth", action_taken: "notified" } as const;
	const growthForgiven = { plan_tier: "growth", action_taken: "forgiven" } as const;
	assert.equal(judged("growth", false, false), "none");
	assert.equal(judged("growth", false, true, growthNotified), "none");
	assert.equal(judged("growth", true, false, growthNotified), "forgiven");
	assert.equal(judged("growth", true, true), "notified");
	assert.equal(judged("growth", true, true, growthForgiven), "notified");
	assert.equal(judged("growth", true, true, growthNotified), "upgraded");
	assert.equal(judged("growth", true, true, growthNotified, "free"), "notified");
	assert.equal(judged("growth", true, true, growthNotified, "enterprise"), "notified");
	assert.equal(judged("scale", true, true, growthNotified), "notified");
	assert.equal(judged("scale", true, true, { plan_tier: "scale", action_taken: "notified" }), "notified");
	assert.equal(judged("growth", true, true, { plan_tier: "scale", action_taken: "notified" }), "notified");
});
