import { existsSync, globSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { numberedHit } from "../../support/numbered-hits.ts";
import { checkOutcome } from "../check.ts";
import type { Drill } from "../drill.ts";
import { type Stage, VISITORS } from "../stage.ts";
import { until } from "../until.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const library = () => globSync("/usr/lib/*/faketime/libfaketimeMT.so.1")[0];
/** Jumps are larger than the time that passes meanwhile. */
const NEAR_MS = 30 * 60_000;

/** The clock of the service, as an offset to the machine's; at first it says noon of this day, so that no jump leaves the day. */
function jumpingClock(stage: Stage) {
	const file = join(stage.dataDir, "clock");
	const noon = Math.floor(Date.now() / DAY_MS) * DAY_MS + DAY_MS / 2 - Date.now();
	let offset = noon;
	const write = () => writeFileSync(file, `${offset < 0 ? "-" : "+"}${Math.abs(offset / 1000).toFixed(3)}`);
	write();
	return {
		env: {
			LD_PRELOAD: library() ?? "",
			FAKETIME_TIMESTAMP_FILE: file,
			FAKETIME_DONT_FAKE_MONOTONIC: "1",
			FAKETIME_CACHE_DURATION: "1",
		},
		jump(ms: number) {
			offset += ms;
			write();
		},
		isThere: (date: string | null) => date !== null && Math.abs(Date.parse(date) - Date.now() - offset) < NEAR_MS,
	};
}

/** Visitors with a page view among hits of these numbers, as far as they were stored. */
function visitorsOf(times: ReadonlyMap<number, number>, from: number, to: number): Set<number> {
	const hits = [...times.keys()].filter((hit) => hit >= from && hit < to).map((hit) => numberedHit(hit, VISITORS));
	return new Set(hits.filter(({ amount }) => amount === undefined).map(({ visitor }) => visitor));
}

const jumps: Drill = {
	name: "clock",
	does: "the clock of the service jumps an hour back and two ahead under load, then the service is killed",
	lacks: () => {
		const path = library();
		return path !== undefined && existsSync(path) ? undefined : "libfaketime is not installed (Debian: faketime)";
	},
	async play(stage) {
		const clock = jumpingClock(stage);
		let service = await stage.start(clock.env);
		const ends: number[] = [];
		const jump = async (ms: number) => {
			await stage.load.pause();
			ends.push(stage.load.sent);
			clock.jump(ms);
			await until(async () => clock.isThere((await fetch(`${service.url}/livez`)).headers.get("date")));
		};
		// Enough that visitors from before the jump return after it.
		await stage.takeHits(service, 300);
		await jump(-HOUR_MS);
		await stage.takeHits(service, 200);
		await jump(2 * HOUR_MS);
		await stage.takeHits(service, 150);
		await service.kill();
		service = await stage.start(clock.env);
		await stage.takeHits(service);
		const [, ahead = 0] = ends;
		// Going back ends no visit; two hours ahead end all, and after the kill those of this hour go on.
		const entrances = ({ times }: { readonly times: ReadonlyMap<number, number> }) =>
			visitorsOf(times, 0, ahead).size + visitorsOf(times, ahead, Number.POSITIVE_INFINITY).size;
		const outcome = await checkOutcome(stage, { collector: service }, { entrances });
		return { ...outcome, note: "the event store keeps the machine's clock" };
	},
};

export const clockDrills: readonly Drill[] = [jumps];
