import { setTimeout as pause } from "node:timers/promises";
import { eventColumns } from "../../packages/server/src/analytics/model/event-columns.ts";
import type { EventStore } from "../../packages/server/src/platform/event-store/event-store.ts";
import { runFootfall } from "../support/service.ts";
import { withStore } from "../support/table-sizes.ts";

/** Days that rows are spread over: twelve months, and room for ranges that end earlier. */
export const DAYS = 400;
/** Approximate maximum rows of one statement's copy. */
const ROWS_A_STATEMENT = 1_000_000;
/** Merges have ended when none was seen for so long. */
const QUIET_MS = 5000;
const LOOK_EVERY_MS = 250;

/** Seeds rows into a site and answers how many a second: making them, sending them and storing them. */
export async function seed(env: NodeJS.ProcessEnv, site: string, rows: number, number: number): Promise<number> {
	const given = ["--rows", String(rows), "--days", String(DAYS), "--seed", String(number), "--append"];
	const printed = await runFootfall(env, ["seed", "--site", site, ...given]);
	const rate = /\(([\d,]+) a second\)/.exec(printed)?.[1];
	if (rate === undefined) throw new Error(`the seed printed no rate: ${printed}`);
	return Number(rate.replaceAll(",", ""));
}

/** Which copies of a site's rows another one gets: those from one number up to, not including, another. */
export interface Copies {
	readonly from: string;
	readonly to: string;
	readonly first: number;
	readonly end: number;
}

/** Copies all rows of a site to another several times, each by other visitors in the same hours. Answers how many a second. */
export async function copyRows(dataDir: string, copies: Copies): Promise<number> {
	return withStore(dataDir, async (store) => {
		const began = performance.now();
		let rows = 0;
		for (const month of await monthsOf(store, copies.from)) {
			const atOnce = Math.max(1, Math.floor(ROWS_A_STATEMENT / month.rows));
			for (let first = copies.first; first < copies.end; first += atOnce) {
				await copyMonth(store, { ...copies, first, end: Math.min(first + atOnce, copies.end) }, month.month);
			}
			rows += month.rows * (copies.end - copies.first);
		}
		return (rows / (performance.now() - began)) * 1000;
	});
}

const monthsOf = (store: EventStore, site: string): Promise<{ month: number; rows: number }[]> =>
	store.query({
		sql: "SELECT toYYYYMM(date) AS month, count() AS rows FROM events WHERE site = {site:String} GROUP BY month ORDER BY month",
		params: { site },
	});

function copyMonth(store: EventStore, { from, to, first, end }: Copies, month: number): Promise<void> {
	const columns = Object.keys(eventColumns);
	const changed: Readonly<Record<string, string>> = { site: `'${to}'`, session: "cityHash64(session, copy)" };
	return store.command(`INSERT INTO events (${columns.join(", ")})
		SELECT ${columns.map((name) => changed[name] ?? name).join(", ")}
		FROM events ARRAY JOIN range(${first}, ${end}) AS copy
		WHERE site = '${from}' AND toYYYYMM(date) = ${month}
		SETTINGS max_execution_time = 0`);
}

/** Resolves when the store has merged what it was given. */
export async function mergesEnded(dataDir: string): Promise<void> {
	await withStore(dataDir, async (store) => {
		let quietSince = performance.now();
		while (performance.now() - quietSince < QUIET_MS) {
			await pause(LOOK_EVERY_MS);
			const [{ merging = 0 } = {}] = await store.query<{ merging: number }>({
				sql: "SELECT count() AS merging FROM system.merges",
			});
			if (merging > 0) quietSince = performance.now();
		}
	});
}
