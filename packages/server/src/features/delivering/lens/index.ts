/** LENS: insights that fixed rules find in the figures of sites, and weekly and monthly reports. */

import type { App } from "../../../platform/http/app.ts";
import { DAY_MS } from "../../../platform/lib/durations.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { Forgetting } from "../../tenancy/data-keeping/index.ts";
import type { LensDeps } from "./deps.ts";
import { registerInsights, registerMarks } from "./insights/insights-routes.ts";
import { registerReports } from "./reports/reports-routes.ts";
import { askRuns, RUN_JOB, runSite } from "./runs/run-site.ts";
import { registerSettings } from "./settings/settings-routes.ts";
import { dropInsightsOf, dropOld, dropOldReports, dropReportsOf } from "./store.ts";

/** Verdicts on insights, and reports, are kept for two years. */
const KEPT_MS = 730 * DAY_MS;

/** Routes on insights and reports, and the work behind them; the mornings of all time zones begin at a quarter of an hour. */
export function registerLens(app: App, deps: LensDeps): void {
	registerInsights(app, deps);
	registerMarks(app, deps);
	registerSettings(app, deps);
	registerReports(app, deps);
	const { jobs, metadata, clock } = deps;
	jobs.register<{ siteId: string }>(RUN_JOB, (payload) => runSite(deps, payload), { concurrency: 1 });
	jobs.schedule("lens-mornings", "*/15 * * * *", () => askRuns(deps));
	jobs.schedule("lens-retention", "43 4 * * *", async () => {
		await dropOld(metadata, clock.now(), clock.now() - KEPT_MS);
		await dropOldReports(metadata, clock.now() - KEPT_MS);
	});
}

/** Drops the insights and reports that rest on deleted days of a site. */
export async function forgetInsights(
	{ metadata }: { readonly metadata: Metadata },
	{ site, days }: Pick<Forgetting, "site" | "days">,
): Promise<true> {
	await metadata.transaction().execute(async (trx) => {
		await dropInsightsOf(trx, site.id, days);
		await dropReportsOf(trx, site.id, days);
	});
	return true;
}
