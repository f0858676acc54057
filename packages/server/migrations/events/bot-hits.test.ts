import assert from "node:assert/strict";
import { after, test } from "node:test";
import { botHitColumns } from "../../src/analytics/model/bot-flags.ts";
import { botStatistics, suspiciousSessions } from "../../src/analytics/query/reports/bot-hits.ts";
import { systemClock } from "../../src/platform/lib/clock.ts";
import { openTestStore } from "../../test/support/test-store.ts";
import { migrateEvents } from "./index.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** The engine folds and drops by its own clock. */
const now = Date.now();
const clock = { ...systemClock, now: () => now };

type TestHit = readonly [
	/** Milliseconds before now. */
	ago: number,
	session: string,
	score: number,
	flags: number,
	counted?: boolean,
];

const open = await openTestStore();
after(open.remove);
await migrateEvents(open.store);
await open.store.command("SYSTEM STOP MERGES bot_hits");

const line = ([ago, session, score, flags, counted = false]: TestHit): string => {
	const at = new Date(now - ago);
	const date = at.toISOString().slice(0, 10);
	const fields = ["shop", date, at.getTime() / 1000, session, score, flags, counted ? 1 : 0, `agent ${session}`, "ES"];
	return `${fields.join("\t")}\n`;
};

async function insert(token: string, hits: readonly TestHit[]): Promise<void> {
	const tsv = Buffer.from(hits.map(line).join(""));
	await open.store.insert({ table: "bot_hits", columns: botHitColumns, tsv, deduplicationToken: token });
}

/** Lets the engine do what time has brought. */
async function age(): Promise<void> {
	await open.store.command("SYSTEM START MERGES bot_hits");
	await open.store.command("OPTIMIZE TABLE bot_hits FINAL");
}

const day = (ago: number) => Temporal.PlainDate.from(new Date(now - ago).toISOString().slice(0, 10));

/** The counts that the API would answer. */
async function answers() {
	const period = { start: day(89 * DAY), end: day(0) };
	const { days, flagSets } = await botStatistics({ eventStore: open.store }, "shop", period);
	const sessions = await suspiciousSessions({ eventStore: open.store, clock }, "shop", { minScore: 50, limit: 100 });
	return { days, flagSets, sessions };
}

/** Lines of a day: how many ago, rows, hits and how many counted, and the user agents. */
async function lines(): Promise<string[]> {
	const rows = await open.store.query<{ line: string }>({
		sql: `SELECT concat(dateDiff('day', date, {today:Date}), ': ', count(), ' ', sum(hits), ' ', sum(counted), ' ',
				arrayStringConcat(arraySort(groupUniqArray(user_agent)), ',')) AS line
			FROM bot_hits GROUP BY date ORDER BY date DESC`,
		params: { today: day(0).toString() },
	});
	return rows.map(({ line }) => line);
}

const longest = "18446744073709551615";
const hits: readonly TestHit[] = [
	// Of this minute: kept one by one.
	[0, longest, 85, 2],
	[0, longest, 85, 2],
	// Of three days ago: one row for the hits of a session that are alike.
	[3 * DAY + 2, "1", 85, 2],
	[3 * DAY + 1, "1", 85, 2],
	[3 * DAY, "1", 100, 514],
	[3 * DAY, "2", 85, 2],
	[3 * DAY, "3", 55, 18, true],
	// Of twenty days ago: one row for the hits of the day that are alike; counted ones are in the events.
	[20 * DAY, "4", 85, 2],
	[20 * DAY, "5", 85, 2],
	[20 * DAY, "5", 100, 514],
	[20 * DAY, "6", 55, 18, true],
	// Of the oldest day that is asked for, and of one that is gone.
	[89 * DAY, "7", 85, 2],
	[93 * DAY, "8", 85, 2],
];

test("hits live one by one for a day, by session for seven, as totals for ninety, and no answer changes", async () => {
	await insert("first", hits);
	await insert("second", hits);
	const before = await answers();
	const total = before.days.reduce((sum, { total_hits }) => sum + total_hits, 0);
	assert.equal(total, 20);
	await age();
	assert.deepEqual(await answers(), before);
	const kept = [`0: 4 4 0 agent ${longest}`, "3: 4 10 1 agent 1,agent 2,agent 3", "20: 2 6 0 ", "89: 1 2 0 "];
	assert.deepEqual(await lines(), kept);
	const at = (ago: number) => now - ago;
	const sessions = before.sessions.map(
		({ session_id, max_score, flags, hit_count, first_seen, last_seen, user_agent }) => {
			return [session_id, max_score, flags, hit_count, first_seen, last_seen, user_agent];
		},
	);
	assert.deepEqual(sessions, [
		["1", 100, 514, 6, at(3 * DAY + 2), at(3 * DAY), "agent 1"],
		[longest, 85, 2, 4, at(0), at(0), `agent ${longest}`],
		["2", 85, 2, 2, at(3 * DAY), at(3 * DAY), "agent 2"],
	]);
});

test("hits that reach the store late join the totals of their day, and a repeated insert adds nothing", async () => {
	const late: readonly TestHit[] = [
		[20 * DAY, "9", 85, 2],
		[3 * DAY, "2", 85, 2],
	];
	for (let times = 0; times < 2; times++) await insert("late", late);
	await age();
	const kept = [`0: 4 4 0 agent ${longest}`, "3: 4 11 1 agent 1,agent 2,agent 3", "20: 2 7 0 ", "89: 1 2 0 "];
	assert.deepEqual(await lines(), kept);
});

test("a store that is killed while it folds rows changes no answer", async () => {
	const crowd = Array.from({ length: 20_000 }, (_, n): TestHit => {
		const [ago, session] = [(n % 2 === 0 ? 3 : 20) * DAY + n, String(1000 + (n % 500))];
		return n % 3 === 0 ? [ago, session, 85, 2] : [ago, session, 100, 514];
	});
	for (let batch = 0; batch < 4; batch++) await insert(`crowd ${batch}`, crowd);
	const before = await answers();
	const folding = open.store.command("OPTIMIZE TABLE bot_hits FINAL").catch(() => undefined);
	// Answered after the engine has taken the command.
	await open.store.ping();
	await open.crash();
	await folding;
	assert.deepEqual(await answers(), before);
	await age();
	assert.deepEqual(await answers(), before);
});
