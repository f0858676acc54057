import { quantile } from "../support/quantile.ts";
import type { RunningService } from "../support/service.ts";
import { type BenchSite, readReport } from "../support/site.ts";

const [WARM_UP, RUNS] = [8, 25];
const DAY_MS = 86_400_000;

/** The reports that are timed: name, path. */
export const reports = [
	["overview", "/stats/overview"],
	["pages", "/stats/pages"],
	["sources", "/stats/sources"],
	["countries", "/stats/geo/countries"],
	["channels, compared", "/stats/channels?compare=previous"],
] as const;

const isoDay = (daysAgo: number) => new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10);

/** The p95 of each report, in milliseconds. Each run asks for days that end elsewhere, so that no answer was kept. */
export async function timesOf(service: RunningService, site: BenchSite, days: number): Promise<number[]> {
	const found: number[] = [];
	for (const [, path] of reports) {
		const times: number[] = [];
		for (let run = 0; run < WARM_UP + RUNS; run++) {
			const range = `start_date=${isoDay(run + days)}&end_date=${isoDay(run + 1)}`;
			const began = performance.now();
			await readReport(service.url, site, `${path}${path.includes("?") ? "&" : "?"}${range}`);
			if (run >= WARM_UP) times.push(performance.now() - began);
		}
		found.push(
			quantile(
				times.sort((a, b) => a - b),
				0.95,
			),
		);
	}
	return found;
}
