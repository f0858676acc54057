import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import fc from "fast-check";
import { sql } from "kysely";
import { appOnBothEngines } from "../../../../test/support/app-on-both-engines.ts";
import { growth, type SellingSite, sellingEnv, sellingSite } from "../../../../test/support/selling-site.ts";
import { type StripeServer, stripeEvent, stripeSecret, stripeServer } from "../../../../test/support/stripe-server.ts";
import type { TestApp } from "../../../../test/support/test-app.ts";

const calm = ["subscribe", "trial", "activate", "fail", "cancelLater", "goOn"] as const;
const kinds = [...calm, "upgrade", "downgrade", "renew", "end"] as const;

/** Something that happens at the provider, and when its event is sent: after so many others, so often. */
const step = fc.record({
	kind: fc.constantFrom(...kinds),
	delay: fc.integer({ min: 0, max: 6 }),
	copies: fc.integer({ min: 1, max: 3 }),
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

	const stored = async () => {
		const { rows } = await sql<Record<string, unknown>>`
			select id, status, plan_tier, cancel_at_period_end as cancels, current_period_end as ends
			from billing_subscriptions order by id
		`.execute(app.metadata);
		return rows.map(({ cancels, ends, ...row }) => [...Object.values(row), Number(cancels), Number(ends)]);
	};
	/** Price and end of the period of a subscription at the provider. */
	const itemOf = (items: unknown) =>
		(items as { data: { price: { lookup_key: string }; current_period_end: number }[] } | undefined)?.data[0];
	const planOf = (items: unknown) => itemOf(items)?.price.lookup_key.split("_")[1];
	const live = () => [...stripe.subscriptions.values()].findLast(({ status }) => status !== "canceled");

	const told = () =>
		[...stripe.subscriptions.values()]
			.map((one) => {
				const ends = (itemOf(one.items)?.current_period_end ?? 0) * 1000;
				return [one.id, one.status, planOf(one.items), one.cancel_at_period_end ? 1 : 0, ends] as const;
			})
			.sort(([a], [b]) => (a < b ? -1 : 1));

	let startsAt = Date.parse("2026-11-21T12:00:00Z");
	function happen(kind: (typeof kinds)[number]): void {
		const one = live();
		if (one === undefined || kind === "subscribe") {
			// Each begins later than the one before, so that it is clear which counts.
			startsAt += 60_000;
			stripe.subscribe({ customer: ann.customer, startsAt });
		} else if (kind === "trial") one.status = "trialing";
		else if (kind === "activate") one.status = "active";
		else if (kind === "fail") one.status = "past_due";
		else if (kind === "cancelLater") one.cancel_at_period_end = true;
		else if (kind === "goOn") one.cancel_at_period_end = false;
		else if (kind === "renew") stripe.renew(one.id);
		else if (kind === "end") Object.assign(one, { status: "canceled", ended_at: startsAt / 1000 + 30 });
		else stripe.reprice(one.id, kind === "upgrade" ? "price_scale_monthly" : "price_growth_monthly");
	}

	test("late, twice, at once or reordered: what is stored ends as the provider says, and the plan follows", async () => {
		let run = 0;
		const holds = fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 10 }), async (steps) => {
			run += 1;
			const waiting: { readonly at: number; readonly request: ReturnType<typeof stripeEvent> }[] = [];
			const running: Promise<number>[] = [];
			for (const [at, { kind, delay, copies, lag }] of steps.entries()) {
				happen(kind);
				stripe.beforeList = async () => {
					for (let turns = 0; turns < lag; turns++) await turn();
				};
				const event = { id: `evt_${run}_${at}`, type: "customer.subscription.updated", customer: ann.customer };
				for (let copy = 0; copy < copies; copy++) {
					waiting.push({ at: at + ((delay + copy * 3) % 7), request: stripeEvent(event, app.clock.now()) });
				}
				for (const due of waiting.filter((one) => one.at === at)) running.push(send(due.request));
			}
			running.push(...waiting.filter(({ at }) => at >= steps.length).map(({ request }) => send(request)));
			assert.deepEqual(new Set(await Promise.all(running)), new Set([200]));
			assert.deepEqual(await stored(), told());
			assert.equal(await ann.plan(), planOf(live()?.items) ?? "free");
			const { body: history } = await ann.ask("GET /billing/subscription/history?limit=100");
			for (const { previous_state, new_state, action } of history) {
				if (action !== "updated" && action !== "checkout_started") assert.notDeepEqual(previous_state, new_state);
			}
		});
		await fc.assert(holds, { numRuns: 10 });
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
		const sent = Array.from({ length: 5 }, () => bob.tell("customer.subscription.created", "evt_once"));
		const answers = await Promise.all(sent);
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
