import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import type { Tables } from "../../../migrations/metadata/tables/index.ts";
import { createSite, signIn } from "../../../test/support/accounts.ts";
import { isQuestion } from "../../../test/support/agreed-recipients.ts";
import { addOrders, days } from "../../../test/support/export-site.ts";
import { addReport, mailsTo } from "../../../test/support/mail-reports.ts";
import { mailbox } from "../../../test/support/mailbox.ts";
import { isSplit } from "../../../test/support/test-app.ts";
import { onEngines } from "../../../test/support/test-schema.ts";
import { DAY, HOUR, MINUTE, views, watchSites } from "../../../test/support/watched-sites.ts";
import { evaluateRules } from "./alerts/evaluate.ts";
import { FirstHitCache } from "./alerts/read-values.ts";
import { alertRules } from "./alerts/store.ts";
import { askStrangers } from "./mail-recipients/index.ts";
import { sendReports } from "./mail-reports/send-reports.ts";

const START = Date.parse("2026-11-22T12:00:00.000Z");
const above = { condition_type: "absolute_threshold", threshold_value: 5 };
const goal = { ...above, alert_type: "goal_reached", custom_condition: { period: "day" } };

onEngines("what processes do at once, or half", (engine) => {
	const watched = watchSites({ onPostgres: engine === "postgres" });
	const onPostgres = engine === "postgres" || isSplit;

	/** What a process of its own works with. */
	const ownDeps = () => {
		const { app, config } = watched.app;
		return { ...watched.app, ...config, log: app.log, rootUrl: "https://stats.example" };
	};
	/** A look of such a process at the rules. */
	const lookOnce = () =>
		evaluateRules({
			...ownDeps(),
			outbound: { urlFault: () => undefined, send: () => Promise.reject(new Error("nothing is sent")) },
			refused: async () => undefined,
			isCaughtUp: async () => true,
			firstHits: new FirstHitCache(),
		});
	const types = (site: string) => watched.events(site).map(({ type }) => type);
	/** How many mails tell of each rule. */
	const mailsAbout = async (...names: readonly string[]) => {
		const mails = await mailbox(watched.app).all();
		return names.map((name) => mails.filter(({ subject }) => subject.endsWith(`: ${name}`)).length);
	};

	test("two processes that look at once open one incident, reach a goal once, and count both once", async () => {
		const site = await watched.site();
		const rules = [
			{ ...above, name: "Both" },
			{ ...goal, name: "Ten" },
		];
		const ids = await Array.fromAsync(rules, (rule) => watched.rule(site, rule));
		await watched.store(views(site, START, START + HOUR, 8));
		watched.app.clock.set(new Date(START + HOUR + 10_000).toISOString());
		await Promise.all([lookOnce(), lookOnce(), lookOnce()]);
		await watched.app.jobs.runDue();
		assert.deepEqual(types(site).sort(), ["alert.triggered", "goal.reached"]);
		assert.equal((await watched.history(site)).length, 2);
		const counted = await alertRules.list(watched.app.metadata, { id: ids }, "id");
		const counts = counted.map(({ trigger_count }) => trigger_count);
		assert.deepEqual([...counts, ...(await mailsAbout("Both", "Ten"))], [1, 1, 1, 1]);
	});

	test("a look that ends between finding and telling leaves nothing behind; the next one tells once, others are not held up", async () => {
		const [site, other] = [await watched.site(), await watched.site()];
		await watched.rule(site, { ...above, name: "Cut short" });
		await watched.rule(site, { ...goal, name: "Goal cut short" });
		await watched.rule(other, { ...above, name: "Beside" });
		await watched.store([...views(site, START, START + HOUR, 8), ...views(other, START, START + HOUR, 8)]);
		watched.app.clock.set(new Date(START + HOUR + 10_000).toISOString());
		await refuseEventsOf(site);
		await lookOnce();
		await watched.app.jobs.runDue();
		assert.deepEqual([await watched.history(site), types(site)], [[], []]);
		assert.equal((await watched.history(other)).length, 1);
		await allowEvents();
		await lookOnce();
		await lookOnce();
		await watched.app.jobs.runDue();
		assert.deepEqual(types(site).sort(), ["alert.triggered", "goal.reached"]);
		assert.deepEqual(await mailsAbout("Cut short", "Goal cut short", "Beside"), [1, 1, 1]);
	});

	test("an incident whose end could not be told stays open, and ends once", async () => {
		const site = await watched.site();
		const id = await watched.rule(site, { ...above, comparison_window: "15m" });
		await watched.store(views(site, START, START + 15 * MINUTE, 8));
		for (const minute of [15, 31]) await watched.look(START + minute * MINUTE);
		await refuseEventsOf(site);
		await watched.look(START + 50 * MINUTE);
		assert.equal((await watched.history(site))[0]?.status, "active");
		await allowEvents();
		for (const minute of [51, 52]) await watched.look(START + minute * MINUTE);
		assert.deepEqual([await watched.state(site, id), (await watched.history(site))[0]?.status], ["ok", "resolved"]);
		assert.deepEqual(types(site), ["alert.triggered", "alert.resolved"]);
	});

	/** Lets the database refuse the events of a site, as if the process ended there. */
	async function refuseEventsOf(site: string): Promise<void> {
		const db = watched.app.metadata;
		const isCut = sql`new.kind = 'domain-event' and new.payload like ${sql.lit(`%${site}"%`)}`;
		const trigger = sql`create trigger cut before insert on jobs`;
		if (!onPostgres) {
			await sql`${trigger} when ${isCut} begin select raise(abort, 'cut short'); end`.execute(db);
			return;
		}
		await sql`
			create function cut() returns trigger language plpgsql as $$ begin raise exception 'cut short'; end $$
		`.execute(db);
		await sql`${trigger} for each row when (${isCut}) execute function cut()`.execute(db);
	}

	const allowEvents = () =>
		(onPostgres ? sql`drop function cut() cascade` : sql`drop trigger cut`).execute(watched.app.metadata);

	test("a mail report that two processes find due goes out once", async () => {
		const { clock } = watched.app;
		clock.set("2026-11-11T08:00:00Z");
		const site = await watched.site();
		await addReport(watched, site, { recipients: ["boss@example.com"] });
		await watched.store(views(site, clock.now(), clock.now() + HOUR, 5, { entrance: 1 }));
		clock.set("2026-11-16T08:00:00Z");
		await Promise.all([sendReports(ownDeps()), sendReports(ownDeps())]);
		assert.equal((await mailsTo(watched.app, "boss@example.com")).length, 1);
	});

	test("sites that ask an address at once send it three questions a day", async () => {
		const sites = await Array.fromAsync({ length: 8 }, () => watched.site());
		const { metadata, clock } = watched.app;
		const emails = ["wanted@elsewhere.example"];
		const ask = (siteId: string) =>
			metadata.transaction().execute((trx) => askStrangers(ownDeps(), trx, { siteId, emails }));
		for (const asked of [3, 6]) {
			await Promise.all(sites.map(ask));
			const questions = (await mailbox(watched.app).to("wanted@elsewhere.example")).filter(isQuestion);
			assert.equal(questions.length, asked);
			clock.advance(DAY);
		}
	});

	for (const [what, most, path, body] of [
		["alert rules", 100, "/alerts/rules", { name: "Watch" }],
		["mail reports", 20, "/mail-reports", { frequency: "weekly", recipients: ["ann@example.com"] }],
		["webhooks", 20, "/webhooks", { name: "Hook", url: "https://hooks.example/", event_types: ["goal.reached"] }],
	] as const) {
		test(`a site has at most ${most} ${what}, also when the last are added at once; one that is off counts, a removed one does not`, async () => {
			const site = await watched.site();
			const one = (id: number) => `${path}/${id}?account_id=${site}`;
			const add = () => watched.ask("POST", `${path}?account_id=${site}`, body);
			const first = (await add()).json();
			const id = first.id ?? first.data.id;
			for (let count = 1; count < most - 2; count++) await add();
			await watched.call("PATCH", one(id), { is_active: false });
			const last = await Promise.all([1, 2, 3, 4].map(add));
			const codes = last.map((answer) => answer.json().error?.code ?? answer.statusCode);
			assert.deepEqual(codes.sort(), [201, 201, "conflict", "conflict"]);
			await watched.call("DELETE", one(id));
			assert.equal((await add()).statusCode, 201);
		});
	}

	const setPlan = (plan_tier: "free" | "growth" | "scale" | "enterprise") =>
		watched.app.metadata.withTables<Tables>().updateTable("organizations").set({ plan_tier }).execute();

	for (const [tier, places] of [
		["free", 1],
		["growth", 1],
		["scale", 3],
		["enterprise", 10],
	] as const) {
		test(`${tier}: ${places} exports at a time over all sites of the organization, however many ask; others have theirs`, async () => {
			const { app } = watched;
			app.clock.set("2026-11-21T12:00:00Z");
			await setPlan("enterprise");
			const [site, beside] = [await watched.site(), await watched.site()];
			const bob = await signIn(app, { email: `${tier}@example.com`, name: tier });
			const far = await createSite(app, bob, { name: tier });
			await setPlan(tier);
			await addOrders(app, site, 10_000);
			const url = (of: string) => `/exports?account_id=${of}`;
			const ask = () => watched.ask("POST", url(site), { export_type: "conversions", ...days });
			const few = { export_type: "pages", ...days };
			const answers = await Promise.all(Array.from({ length: places + 2 }, ask));
			const [refused, ...others] = Map.groupBy(answers, ({ statusCode }) => statusCode).get(429) ?? [];
			assert.equal(answers.filter(({ statusCode }) => statusCode === 201).length, places);
			assert.deepEqual([refused?.json().error.code, others.length], ["rate_limit_exceeded", 1]);
			assert.equal(refused?.headers["retry-after"], "30");
			assert.equal((await watched.ask("POST", url(beside), few)).statusCode, 429);
			const theirs = { method: "POST", url: `/api/v1${url(far)}`, headers: bob.headers, payload: few } as const;
			assert.equal((await app.inject(theirs)).statusCode, 201);
			await app.jobs.runDue();
			assert.equal((await ask()).statusCode, 201);
			// It leaves its place to those of the next test.
			await app.jobs.runDue();
		});
	}
});
