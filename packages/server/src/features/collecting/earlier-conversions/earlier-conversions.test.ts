import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { collectingSite } from "../../../../test/support/collecting-site.ts";
import { pageviewRow } from "../../../../test/support/event-rows.ts";
import { sendHits, type TestHit } from "../../../../test/support/hits.ts";
import { insertRows } from "../../../../test/support/oracle-app.ts";
import { renewSession } from "../../../../test/support/renew-session.ts";
import { postgresSkip } from "../../../../test/support/test-schema.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import { openMetadata } from "../../../platform/metadata/open-metadata.ts";
import { countAlone } from "./store.ts";

const order = { name: "Order", kind: "page", pattern: "/thank-you", conversion_type: "order", amount: 12.5 };

describe("POST /sites/{id}/goals/{goal_id}/count-earlier", () => {
	// Days begin at 05:00 UTC.
	const here = collectingSite({
		wrapEventStore: (store) => ({
			...store,
			insert: (insert) => {
				if (insert.deduplicationToken.startsWith("goal-") && refusesFrom-- <= 0) return Promise.reject(unavailable);
				return store.insert(insert);
			},
		}),
	});
	const unavailable = new ServiceError("database_unavailable");
	/** Inserts of earlier conversions that succeed. */
	let refusesFrom = Number.POSITIVE_INFINITY;
	const at = async (time: string) => {
		here.app.clock.set(`2026-11-${time}:00.000Z`);
		const headers = await renewSession(here.app, here.owner.userId);
		Object.assign(here.owner, { headers });
	};
	const visit = (visitor: number, path: string, more: Partial<TestHit> = {}) =>
		here.view(path, { ip: `203.0.113.${visitor}`, ...more });
	const send = (...hits: TestHit[]) => sendHits(here.app, hits);
	const setGoals = async (...goals: object[]): Promise<string[]> =>
		(await here.call(`PATCH /sites/${here.site}`, { goals })).data.goals.map(({ id }: { id: string }) => id);
	const count = (goal: string | undefined, body = {}) =>
		here.call(`POST /sites/${here.site}/goals/${goal}/count-earlier`, body);
	/** The visits that a request counts, and the days that they are of. */
	const counted = async (goal: string | undefined, body = {}) => {
		const { visits, from, to } = (await count(goal, body)).data;
		return [visits, from, to];
	};
	const conversions = () =>
		here.query(
			"SELECT date, event_type, path, properties['goal_id'] AS goal FROM events WHERE site = {site:String} AND properties['goal_id'] != '' ORDER BY date, event_type, path",
		);

	test("adds one conversion to each earlier visit that reached the goal, on its day and from its source, and none on repetition", async () => {
		await at("21T12:00");
		await send(visit(1, "/?utm_source=news"), visit(1, "/thank-you"), visit(1, "/thank-you"), visit(2, "/thank-you"));
		await send(visit(3, "/", { event: "order", amount: 3 }));
		await at("22T12:00");
		await send(visit(4, "/thank-you"), visit(5, "/else"));
		await at("23T12:00");
		await send(visit(6, "/thank-you"));
		const [goal] = await setGoals(order);
		const usage = async () => {
			const url = "/api/v1/billing/usage/current";
			return (await here.app.inject({ url, headers: here.owner.headers })).json().human_events;
		};
		const before = await usage();
		const answer = { goal_id: goal, imported_events: 0, is_complete: true };
		const both = { ...answer, from: "2026-11-21", to: "2026-11-22" };
		assert.deepEqual((await count(goal, { dry_run: true })).data, { ...both, dry_run: true, visits: 3 });
		assert.deepEqual(await conversions(), []);
		const first = await count(goal, { before: "2026-11-22" });
		assert.deepEqual(first.data, { ...both, dry_run: false, visits: 2, to: "2026-11-21" });
		assert.deepEqual((await count(goal)).data, { ...both, dry_run: false, visits: 1 });
		assert.deepEqual((await count(goal)).data, { ...both, dry_run: false, visits: 0 });
		const row = (date: string) => ({ date, event_type: "order", path: "/thank-you", goal });
		assert.deepEqual(await conversions(), [row("2026-11-21"), row("2026-11-21"), row("2026-11-22")]);
		const times = "SELECT uniqExact(ts) AS times FROM events WHERE site = {site:String} AND kind = 'conversion'";
		assert.deepEqual(await here.query(times), [{ times: 4 }]);
		const [report] = (await here.call("GET /stats/conversions?period=7d")).data;
		const sources = report.by_source.map((one: Record<string, unknown>) => `${one.utm_source} ${one.conversions}`);
		assert.deepEqual([report.count, report.revenue, ...sources], [4, 40.5, "(direct) 3", "news 1"]);
		const { traffic, conversions: sums } = (await here.call("GET /stats/overview?period=7d")).data;
		assert.deepEqual([traffic.page_views, traffic.entrances, sums.conversions, sums.revenue], [7, 5, 4, 40.5]);
		await at("23T14:00");
		assert.equal(await usage(), before);
	});

	test("counts neither a visit that has a row of the goal nor one that may still be running", async () => {
		await at("22T04:40");
		// Before midnight of the site, as the next ones.
		await send(visit(1, "/thank-you"), visit(2, "/thank-you"), visit(3, "/thank-you"));
		const [goal] = await setGoals(order);
		await at("22T04:50");
		await send(visit(1, "/thank-you"));
		await at("22T05:09");
		await send(visit(2, "/thank-you"), visit(3, "/"));
		assert.equal((await conversions()).length, 2);
		assert.deepEqual(await counted(goal), [0, "2026-11-21", "2026-11-21"]);
		await at("22T05:41");
		assert.deepEqual(await counted(goal), [1, "2026-11-21", "2026-11-21"]);
	});

	test("a goal on events counts hits of its type, not what other goals counted; a micro-conversion has no amount", async () => {
		await at("21T12:00");
		await send(visit(1, "/form"), visit(1, "/form", { event: "lead", isMicro: true }), visit(2, "/form"));
		await at("22T12:00");
		const micro = { ...order, pattern: "/f*", conversion_type: "lead", counts_as: "microconversion", amount: 0 };
		const [seen, sent] = await setGoals(micro, { ...order, kind: "event", pattern: "le*d", conversion_type: "sale" });
		assert.deepEqual(await counted(seen), [2, "2026-11-21", "2026-11-21"]);
		assert.deepEqual(await counted(sent), [1, "2026-11-21", "2026-11-21"]);
		const sql = `SELECT toString(kind) AS what, event_type, toUInt32(count()) AS rows, toFloat64(sum(revenue)) AS revenue
			FROM events WHERE site = {site:String} AND properties['goal_id'] != '' GROUP BY what, event_type ORDER BY what`;
		assert.deepEqual(await here.query(sql), [
			{ what: "conversion", event_type: "sale", rows: 1, revenue: 12.5 },
			{ what: "microconversion", event_type: "lead", rows: 2, revenue: 0 },
		]);
	});

	test("imported events are told and not counted; from is the first stored day, of events two years ago at most", async () => {
		const day = (date: string) => ({ site: here.site, ts: Date.parse(`${date}T12:00:00Z`), path: "/thank-you" });
		const form = { kind: "microconversion", event_type: "form", page_view: 0, microconversion: 1 } as const;
		await insertRows(here.app.eventStore, [
			pageviewRow({ ...day("2022-05-01"), import_id: "a", session: "0", page_view: 7 }),
			pageviewRow({ ...day("2023-05-01"), session: "5" }),
			pageviewRow({ ...day("2023-05-01"), ...form, session: "5" }),
			pageviewRow({ ...day("2025-05-01"), ...form, session: "6" }),
		]);
		const [page, event] = await setGoals(order, { ...order, kind: "event", pattern: "form" });
		const { visits, from, imported_events } = (await count(page)).data;
		assert.deepEqual([visits, from, imported_events], [1, "2023-05-01", 7]);
		assert.deepEqual(await counted(event), [1, "2025-05-01", "2026-11-20"]);
		const [unseen] = await setGoals({ ...order, pattern: "/unseen" });
		assert.deepEqual(await counted(unseen, { before: "2020-01-01" }), [0, null, null]);
	});

	test("patterns select the same paths and types as in the collector", async () => {
		const paths = ["/shop/1/done", "/shop/1/2/done", "/shop//done", "/a.c+(d)", "/abc+(d)", "/caf%C3%A9", "/CAF%C3%A9"];
		const more = ["/x%2Fy", "/x/y", "/[a-z]$^{2}|\\d", "/b", "/done"];
		const types = ["größe ñ", "größe", "a/b", "a\\b", "A"];
		const hits = [
			...[...paths, ...more].map((path, index) => visit(index, path)),
			...types.map((event, index) => visit(index + 50, "/form", { event, isMicro: true })),
		];
		await at("21T12:00");
		await send(...hits);
		const cases: [pattern: string, ...matches: string[]][] = [
			["/shop/*/done", "/shop//done", "/shop/1/done"],
			["/shop/**/done", "/shop//done", "/shop/1/2/done", "/shop/1/done"],
			["**done", "/done", "/shop//done", "/shop/1/2/done", "/shop/1/done"],
			["/*", "/CAF%C3%A9", "/[a-z]$^{2}|\\d", "/a.c+(d)", "/abc+(d)", "/b", "/caf%C3%A9", "/done", "/x%2Fy"],
			["/a.c+(d)", "/a.c+(d)"],
			["/a*c+(d)", "/a.c+(d)", "/abc+(d)"],
			["/café", "/caf%C3%A9"],
			["/x%2fy", "/x%2Fy"],
			["/x*y", "/x%2Fy"],
			["/[a-z]$^{2}|\\d", "/[a-z]$^{2}|\\d"],
			["/[a-z]*", "/[a-z]$^{2}|\\d"],
			["/***/done", "/shop//done", "/shop/1/2/done", "/shop/1/done"],
		];
		const events: typeof cases = [
			["größe*", "größe", "größe ñ"],
			["*", "A", "a\\b", "größe", "größe ñ"],
			["a**b", "a/b", "a\\b"],
			["a\\*", "a\\b"],
		];
		const goals = await setGoals(
			...cases.map(([pattern]) => ({ ...order, pattern })),
			...events.map(([pattern]) => ({ ...order, kind: "event", pattern })),
		);
		await at("22T12:00");
		await send(...hits);
		for (const goal of goals) await count(goal);
		const rows = await here.query(
			`SELECT c.properties['goal_id'] AS goal, c.date AS day,
				arraySort(groupUniqArray(if(p.event_type = '', p.path, p.event_type))) AS found
			FROM events AS c JOIN events AS p ON p.session = c.session AND p.site = c.site
			WHERE c.site = {site:String} AND goal != '' AND p.properties['goal_id'] = ''
				AND p.kind IN ('pageview', 'microconversion')
			GROUP BY goal, day`,
		);
		const found = new Map(rows.map(({ goal, day, found }) => [`${goal} ${day}`, found]));
		for (const [index, [pattern, ...matches]] of [...cases, ...events].entries()) {
			for (const day of ["2026-11-21", "2026-11-22"]) {
				assert.deepEqual(found.get(`${goals[index]} ${day}`), matches, `${pattern} on ${day}`);
			}
		}
	});

	test("a request that fails half-way is completed by its repetition, which counts nothing twice", async () => {
		const seen = (date: string, session: string) =>
			pageviewRow({ site: here.site, ts: Date.parse(`${date}T12:00:00Z`), path: "/thank-you", session });
		await insertRows(here.app.eventStore, [seen("2026-09-01", "1"), seen("2026-10-01", "2"), seen("2026-10-02", "3")]);
		const [goal] = await setGoals(order);
		refusesFrom = 1;
		assert.equal((await count(goal)).status, 503);
		refusesFrom = Number.POSITIVE_INFINITY;
		assert.deepEqual((await conversions()).length, 2);
		assert.deepEqual(await counted(goal), [1, "2026-09-01", "2026-11-20"]);
		assert.deepEqual((await conversions()).length, 3);
	});

	test("two requests at once count each visit once, the second is refused; an unknown goal is 404", async () => {
		await at("21T12:00");
		await send(visit(1, "/thank-you"));
		await at("22T12:00");
		const [goal] = await setGoals(order);
		const statuses = (await Promise.all([count(goal), count(goal)])).map(({ status }) => status);
		assert.deepEqual(statuses.sort(), [200, 409]);
		assert.equal((await conversions()).length, 1);
		assert.deepEqual(await here.refusal(`POST /sites/${here.site}/goals/abcd1234/count-earlier`, {}), [
			404,
			"not_found",
		]);
	});
});

describe("POST /sites/{id}/goals/{goal_id}/count-earlier beside another process", { skip: postgresSkip }, () => {
	const here = collectingSite({ onPostgres: true });

	test("is refused while that one counts a goal of the site, and answered afterwards", async (t) => {
		const { goals } = (await here.call(`PATCH /sites/${here.site}`, { goals: [order] })).data;
		const count = async () =>
			(await here.call(`POST /sites/${here.site}/goals/${goals[0].id}/count-earlier`, {})).status;
		const other = await openMetadata({ dataDir: "", databaseUrl: here.app.config.databaseUrl });
		t.after(() => other.destroy());
		assert.equal(await countAlone(other, here.site, count), 409);
		assert.equal(await countAlone(other, "another-site", count), 200);
		assert.equal(await count(), 200);
	});
});
