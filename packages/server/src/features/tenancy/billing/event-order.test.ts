import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import fc from "fast-check";
import { sql } from "kysely";
import { appOnBothEngines } from "../../../../test/support/app-on-both-engines.ts";
import { growth, type SellingSite, sellingEnv, sellingSite } from "../../../../test/support/selling-site.ts";
import { type StripeServer, stripeEvent, stripeSecret, stripeServer } from "../../../../test/support/stripe-server.ts";
import type { TestApp } from "../../../../test/support/test-app.ts";

const kinds = [
	"subscribe",
	"trial",
	"activate",
	"fail",
	"cancelLater",
	"goOn",
	"upgrade",
	"downgrade",
	"renew",
	"end",
] as const;

/** Something that happens at the provider, and when its event is sent: after so many others, so often. */
const step = fc.record({
	kind: fc.constantFrom(...kinds),
	delay: fc.integer({ min: 0, max: 6 }),
	copies: fc.integer({ min: 1, max: 3 }),
	isForged: fc.boolean(),
	/** How many turns of the event loop late the provider's next answer is. */
	lag: fc.integer({ min: 0, max: 20 }),
});

appOnBothEngines("events in any order", (open) => {
	let app: TestApp;
	let stripe: StripeServer;
	let ann: SellingSite;

	before(async () => {
		stripe = await stripeServer();
		app = await open({ env: sellingEnv(stripe, stripeSecret) });
		ann = await sellingSite(app);
		await ann.ask("POST /billing/checkout", growth);
	});
	after(async () => {
		await app.close();
		await stripe.close();
	});

	const send = async (request: ReturnType<typeof stripeEvent>) =>
		(await app.inject({ method: "POST", url: "/api/v1/billing/provider-webhook", ...request })).statusCode;

	interface Stored {
		readonly id: string;
		readonly status: string;
		readonly plan_tier: string;
		readonly cancel: number;
		readonly ends: number;
	}

	const stored = async () =>
		(
			await sql<Stored>`select id, status, plan_tier, cancel_at_period_end as cancel, current_period_end as ends
				from billing_subscriptions order by id`.execute(app.metadata)
		).rows.map(({ id, status, plan_tier, cancel, ends }) => [id, status, plan_tier, Number(cancel), Number(ends)]);

	const told = () =>
		[...stripe.subscriptions.values()]
			.map(({ id, status, items, cancel_at_period_end }) => {
				const [item] = (items as { data: { price: { lookup_key: string }; current_period_end: number }[] }).data;
				const plan = item?.price.lookup_key.split("_")[1];
				return [id, status, plan, cancel_at_period_end ? 1 : 0, (item?.current_period_end ?? 0) * 1000];
			})
			.sort(([a = ""], [b = ""]) => (String(a) < String(b) ? -1 : 1));

	let startsAt = Date.parse("2026-11-21T12:00:00Z");
	function happen(kind: (typeof kinds)[number]): void {
		const live = [...stripe.subscriptions.values()].findLast(({ status }) => status !== "canceled");
		if (live === undefined || kind === "subscribe") {
			// Each begins later than the one before, so that it is clear which counts.
			startsAt += 60_000;
			stripe.subscribe({ customer: ann.customer, startsAt });
			return;
		}
		if (kind === "trial") live.status = "trialing";
		else if (kind === "activate") live.status = "active";
		else if (kind === "fail") live.status = "past_due";
		else if (kind === "cancelLater") live.cancel_at_period_end = true;
		else if (kind === "goOn") live.cancel_at_period_end = false;
		else if (kind === "renew") stripe.renew(live.id);
		else if (kind === "end") Object.assign(live, { status: "canceled", ended_at: startsAt / 1000 + 30 });
		else stripe.reprice(live.id, kind === "upgrade" ? "price_scale_monthly" : "price_growth_monthly");
	}

	test("late, twice, at once, reordered or forged: what is stored ends as the provider says, and the plan follows", async () => {
		let run = 0;
		await fc.assert(
			fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 10 }), async (steps) => {
				run += 1;
				const waiting: { readonly at: number; readonly request: ReturnType<typeof stripeEvent> }[] = [];
				const running: Promise<number>[] = [];
				let forged = 0;
				for (const [at, { kind, delay, copies, isForged, lag }] of steps.entries()) {
					happen(kind);
					stripe.beforeList = async () => {
						for (let turns = 0; turns < lag; turns++) await turn();
					};
					const event = { id: `evt_${run}_${at}`, type: "customer.subscription.updated", customer: ann.customer };
					const now = app.clock.now();
					for (let copy = 0; copy < copies; copy++) {
						waiting.push({ at: at + ((delay + copy * 3) % 7), request: stripeEvent(event, now) });
					}
					if (isForged) {
						const request = stripeEvent({ ...event, id: `evt_forged_${run}_${at}` }, now, "whsec_another");
						assert.equal(await send(request), 400);
						forged += 1;
					}
					for (const due of waiting.filter((one) => one.at === at)) running.push(send(due.request));
				}
				const late = waiting.filter((one) => one.at >= steps.length);
				running.push(...late.map(({ request }) => send(request)));
				assert.deepEqual(new Set(await Promise.all(running)), new Set([200]));
				assert.deepEqual(await stored(), told());
				const live = [...stripe.subscriptions.values()].findLast(({ status }) => status !== "canceled");
				const [item] = (live?.items as { data: { price: { lookup_key: string } }[] } | undefined)?.data ?? [];
				assert.equal(await ann.plan(), item?.price.lookup_key.split("_")[1] ?? "free");
				const { rows } = await sql<{
					n: number;
				}>`select count(*) as n from billing_events where id like ${`evt_forged%`}`.execute(app.metadata);
				assert.equal(Number(rows[0]?.n), 0, `${forged} forged`);
				// Each entry of the history changes something, and the last one of each subscription is its state.
				const { body } = await ann.ask("GET /billing/subscription/history?limit=100");
				const history = body as {
					previous_state: unknown;
					new_state: unknown;
					subscription_id: string;
					action: string;
				}[];
				for (const { previous_state, new_state, action } of history) {
					if (action !== "updated" && action !== "checkout_started") assert.notDeepEqual(previous_state, new_state);
				}
			}),
			{ numRuns: 10 },
		);
	});

	test("one event at two processes at once is one entry of the history", async () => {
		const bob = await sellingSite(app, "Bob");
		await bob.ask("POST /billing/checkout", growth);
		stripe.subscribe({ customer: bob.customer, startsAt: app.clock.now() });
		// Holds all answers until every request has arrived.
		const asked = Promise.withResolvers<void>();
		let asking = 0;
		stripe.beforeList = () => {
			asking += 1;
			if (asking === 5) asked.resolve();
			return asked.promise;
		};
		const answers = await Promise.all(
			Array.from({ length: 5 }, () => bob.tell("customer.subscription.created", "evt_once")),
		);
		stripe.beforeList = () => Promise.resolve();
		assert.deepEqual(answers, Array(5).fill(200));
		assert.deepEqual(await bob.history(), ["checkout_started user", "created provider"]);
		const before = stripe.asked.length;
		assert.equal(await bob.tell("customer.subscription.created", "evt_once"), 200);
		assert.equal(stripe.asked.length, before);
	});

	test("an older look that is written later does not stay", async () => {
		const eve = await sellingSite(app, "Eve");
		await eve.ask("POST /billing/checkout", growth);
		const one = stripe.subscribe({ customer: eve.customer, startsAt: app.clock.now() });
		await eve.tell();
		// The first one reads `past_due` and is held up while another reads and writes `canceled`.
		one.status = "past_due";
		const held = Promise.withResolvers<void>();
		const reached = Promise.withResolvers<void>();
		stripe.beforeList = () => {
			stripe.beforeList = () => Promise.resolve();
			reached.resolve();
			return held.promise;
		};
		const slow = eve.tell();
		await reached.promise;
		Object.assign(one, { status: "canceled", ended_at: app.clock.now() / 1000 });
		assert.equal(await eve.tell("customer.subscription.deleted"), 200);
		assert.equal(await eve.plan(), "free");
		held.resolve();
		assert.equal(await slow, 200);
		assert.equal(await eve.plan(), "free");
		assert.deepEqual(await eve.ask("GET /billing/subscription"), { status: 200, body: null });
	});
});
