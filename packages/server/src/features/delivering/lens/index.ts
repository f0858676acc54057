/** LENS: insights that fixed rules find in the figures of sites, and weekly and monthly reports. */

import type { App } from "../../../platform/http/app.ts";
import { DAY_MS } from "../../../platform/lib/durations.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { Forgetting } from "../../tenancy/data-keeping/index.ts";
import type { WatchDeps } from "../mail-recipients/index.ts";
import { registerInsights } from "./insights/insights-routes.ts";
import { registerReports } from "./reports/reports-routes.ts";
import { askRuns, RUN_JOB, runSite } from "./runs/run-site.ts";
import { registerSettings } from "./settings/settings-routes.ts";
import { lensFeedback, lensInsights, lensReports } from "./store.ts";

/** Verdicts on insights, and reports, are kept for two years. */
const KEPT_MS = 730 * DAY_MS;

/** Routes on insights and reports, and the work behind them; the mornings of all time zones begin at a quarter of an hour. */
export function registerLens(app: App, deps: WatchDeps): void {
	registerInsights(app, deps);
	registerSettings(app, deps);
	registerReports(app, deps);
	const { jobs, metadata, clock } = deps;
	jobs.register<{ siteId: string }>(RUN_JOB, (payload) => runSite(deps, payload), { concurrency: 1 });
	jobs.schedule("lens-mornings", "*/15 * * * *", () => askRuns(deps));
	jobs.schedule("lens-retention", "43 4 * * *", async () => {
		const old = { created_at: { "<": clock.now() - KEPT_MS } };
		await lensInsights.drop(metadata, { expires_at: { "<=": clock.now() } });
		await lensFeedback.drop(metadata, old);
		await lensReports.drop(metadata, old);
	});
}

/** Drops the insights and reports that rest on deleted days of a site; of reports the compared days count too. */
export async function forgetInsights(
	{ metadata }: { readonly metadata: Metadata },
	{ site, days }: Pick<Forgetting, "site" | "days">,
): Promise<true> {
	const [from, to] = [{ ">=": days.from ?? undefined }, { "<=": days.to ?? undefined }];
	await metadata.transaction().execute(async (trx) => {
		await lensInsights.drop(trx, { site_id: site.id, last_day: from, first_day: to });
		await lensReports.drop(trx, { site_id: site.id, period_end: from, compared_from: to });
	});
	return true;
}
