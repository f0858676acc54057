import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { sql } from "kysely";
import { mailbox } from "../../../../test/support/mailbox.ts";
import { isSplit } from "../../../../test/support/test-app.ts";
import { postgresSkip } from "../../../../test/support/test-schema.ts";
import { HOUR, MINUTE, views, watchSites } from "../../../../test/support/watched-sites.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { evaluateRules } from "./evaluate.ts";
import { FirstHitCache } from "./first-hit-cache.ts";
import { findRules } from "./store.ts";

const START = Date.parse("2026-11-22T12:00:00.000Z");
const above = { condition_type: "absolute_threshold", threshold_value: 5 };
const goal = { ...above, alert_type: "goal_reached", custom_condition: { period: "day" } };

for (const onPostgres of [false, true]) {
	const title = `looks that meet or end early (${onPostgres ? "PostgreSQL" : "SQLite"})`;
	describe(title, { skip: onPostgres && postgresSkip }, () => suite(onPostgres));
}

function suite(onPostgres: boolean): void {
	const watched = watchSites({ onPostgres });

	const types = (site: string) => watched.events(site).map(({ type }) => type);
	const mails = async (name: string) =>
		(await mailbox(watched.app).all()).filter(({ subject }) => subject.endsWith(`: ${name}`)).length;

	/** A look of a process of its own. */
	const lookOnce = () => {
		const { app, config } = watched.app;
		return evaluateRules({
			...watched.app,
			...config,
			log: app.log,
			rootUrl: "https://stats.example",
			outbound: { urlFault: () => undefined, send: () => Promise.reject(new Error("nothing is sent")) },
			refused: async () => undefined,
			isCaughtUp: async () => true,
			firstHits: new FirstHitCache(),
		});
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
		const counts = (await findRules(watched.app.metadata, ids)).map(({ trigger_count }) => trigger_count);
		assert.deepEqual(counts, [1, 1]);
		assert.deepEqual([await mails("Both"), await mails("Ten")], [1, 1]);
	});

	test("a look that ends between finding and telling leaves nothing behind; the next one tells once, others are not held up", async () => {
		const [site, other] = [await watched.site(), await watched.site()];
		await watched.rule(site, { ...above, name: "Cut short" });
		await watched.rule(site, { ...goal, name: "Goal cut short" });
		await watched.rule(other, { ...above, name: "Beside" });
		await watched.store([...views(site, START, START + HOUR, 8), ...views(other, START, START + HOUR, 8)]);
		watched.app.clock.set(new Date(START + HOUR + 10_000).toISOString());
		await refuseEventsOf(watched.app.metadata, site);
		await lookOnce();
		await watched.app.jobs.runDue();
		assert.deepEqual([await watched.history(site), types(site)], [[], []]);
		assert.equal((await watched.history(other)).length, 1);
		await allowEvents(watched.app.metadata);
		await lookOnce();
		await lookOnce();
		await watched.app.jobs.runDue();
		assert.deepEqual(types(site).sort(), ["alert.triggered", "goal.reached"]);
		assert.deepEqual([await mails("Cut short"), await mails("Goal cut short"), await mails("Beside")], [1, 1, 1]);
	});

	test("an incident whose end could not be told stays open, and ends once", async () => {
		const site = await watched.site();
		const id = await watched.rule(site, { ...above, comparison_window: "15m" });
		await watched.store(views(site, START, START + 15 * MINUTE, 8));
		await watched.look(START + 15 * MINUTE);
		await watched.look(START + 31 * MINUTE);
		await refuseEventsOf(watched.app.metadata, site);
		await watched.look(START + 50 * MINUTE);
		assert.equal((await watched.history(site))[0]?.status, "active");
		await allowEvents(watched.app.metadata);
		await watched.look(START + 51 * MINUTE);
		assert.equal(await watched.state(site, id), "ok");
		await watched.look(START + 52 * MINUTE);
		assert.equal((await watched.history(site))[0]?.status, "resolved");
		assert.deepEqual(types(site), ["alert.triggered", "alert.resolved"]);
	});

	/** Lets the database refuse the events of a site, as if the process ended there. */
	async function refuseEventsOf(db: Metadata, site: string): Promise<void> {
		const isCut = sql`new.kind = 'domain-event' and new.payload like ${sql.lit(`%${site}"%`)}`;
		const trigger = sql`create trigger cut before insert on jobs`;
		if (!(onPostgres || isSplit)) {
			await sql`${trigger} when ${isCut} begin select raise(abort, 'cut short'); end`.execute(db);
			return;
		}
		await sql`
			create function cut() returns trigger language plpgsql as $$ begin raise exception 'cut short'; end $$
		`.execute(db);
		await sql`${trigger} for each row when (${isCut}) execute function cut()`.execute(db);
	}

	const allowEvents = (db: Metadata) =>
		onPostgres || isSplit ? sql`drop function cut() cascade`.execute(db) : sql`drop trigger cut`.execute(db);
}
