import type { LensDeps } from "../deps.ts";
import { mailReport } from "../mails/mail-report.ts";
import { tellInsights } from "../mails/tell-insights.ts";
import { makeReport } from "../reports/make-report.ts";
import { monthlyPeriod, weeklyPeriod } from "../reports/report-period.ts";
import { findSettings, listSettings, usualSettings } from "../settings/settings-store.ts";
import { analyse } from "./analyse.ts";
import { dueOn, lastMorning } from "./mornings.ts";
import { claim, findDone, listSites } from "./runs-store.ts";

/** The job that looks at one site. */
export const RUN_JOB = "lens-run";

/** Makes a job for each site whose morning has come. */
export async function askRuns(deps: LensDeps): Promise<void> {
	const settings = await listSettings(deps.metadata);
	const jobs = (await listSites(deps.metadata)).flatMap(({ id, timezone, done }) => {
		const own = settings.get(id) ?? usualSettings();
		const day = lastMorning(timezone, deps.clock.now());
		if (!own.isEnabled || Object.keys(dueOn(day, own, done)).length === 0) return [];
		return [{ kind: RUN_JOB, payload: { siteId: id }, uniqueKey: `${id} ${day}` }];
	});
	if (jobs.length > 0) await deps.jobs.enqueueAll(deps.metadata, jobs);
}

/** Does what is due for a site: looks at it, and makes the report of the week or month that ended. Each once a day at most. */
export async function runSite(deps: LensDeps, { siteId }: { readonly siteId: string }): Promise<void> {
	const site = deps.sites.get(siteId);
	const settings = await findSettings(deps.metadata, siteId);
	if (site?.isActive !== true || !settings.isEnabled) return;
	const of = { id: siteId, timezone: site.timezone };
	const day = lastMorning(site.timezone, deps.clock.now());
	const due = dueOn(day, settings, await findDone(deps.metadata, siteId));
	const { analysed_day: analysed, week, month } = due;
	if (analysed !== undefined) {
		await analyse(deps, of, day, {
			isWanted: (trx) => claim(trx, siteId, "analysed_day", analysed),
			follow: (trx, ids) => tellInsights(deps, trx, { siteId, settings, ids }),
		});
	}
	const periods = [
		...(week === undefined ? [] : [{ what: "week", day: week, period: weeklyPeriod(day) } as const]),
		...(month === undefined ? [] : [{ what: "month", day: month, period: monthlyPeriod(day) } as const]),
	];
	for (const { what, day: until, period } of periods) {
		await makeReport(deps, siteId, period, {
			isWanted: (trx) => claim(trx, siteId, what, until),
			skipsEmpty: true,
			follow: (trx, report) => mailReport(deps, trx, { siteId, settings, report }),
		});
	}
}
