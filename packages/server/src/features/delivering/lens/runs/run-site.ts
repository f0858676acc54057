import { tables } from "../../../../../migrations/metadata/tables/index.ts";
import { monthStart, weekStart } from "../../../../analytics/query/question/periods.ts";
import type { Metadata } from "../../../../platform/metadata/metadata.ts";
import type { LensDeps } from "../deps.ts";
import { mailReport } from "../mails/mail-report.ts";
import { tellInsights } from "../mails/tell-insights.ts";
import { makeReport } from "../reports/make-report.ts";
import { monthlyPeriod, weeklyPeriod } from "../reports/report-period.ts";
import { findSettings, listSettings, type Settings, usualSettings } from "../settings/settings-store.ts";
import { analyse } from "./analyse.ts";

/** The hour of the site's clock at which sites are looked at. */
const MORNING = 6;

/** Tasks of a site's morning with the day of their last run; empty = never. */
interface Done {
	readonly analysed_day: string;
	readonly week: string;
	readonly month: string;
}

/** The day of the last morning of a site; its clocks decide, so that a change of theirs moves no morning. */
const lastMorning = (timezone: string, nowMs: number): Temporal.PlainDate =>
	Temporal.Instant.fromEpochMilliseconds(nowMs)
		.toZonedDateTimeISO(timezone)
		.toPlainDateTime()
		.subtract({ hours: MORNING })
		.toPlainDate();

/** Due tasks as of a day, and the day they will have run for. A missed run is made up for once. */
function dueOn(day: Temporal.PlainDate, { analysisFrequency }: Settings, done: Done): Partial<Done> {
	if (analysisFrequency === "manual") return {};
	const from = (analysisFrequency === "daily" ? day : weekStart(day)).toString();
	const [week, month] = [weekStart(day).toString(), monthStart(day).toString()];
	return {
		...(done.analysed_day < from && { analysed_day: day.toString() }),
		...(done.week < week && { week }),
		...(done.month < month && { month }),
	};
}

const never: Done = { analysed_day: "", week: "", month: "" };

/** Last runs for a site. */
async function findDone(metadata: Metadata, siteId: string): Promise<Done> {
	const row = await tables(metadata)
		.selectFrom("lens_runs")
		.select(["analysed_day", "week", "month"])
		.where("site_id", "=", siteId)
		.executeTakeFirst();
	return row ?? never;
}

/** Every active site with its clock and what was done for it last. */
async function listSites(
	metadata: Metadata,
): Promise<readonly { readonly id: string; readonly timezone: string; readonly done: Done }[]> {
	const rows = await tables(metadata)
		.selectFrom("sites")
		.leftJoin("lens_runs", "lens_runs.site_id", "sites.id")
		.select(["sites.id", "sites.timezone", "lens_runs.analysed_day", "lens_runs.week", "lens_runs.month"])
		.where("sites.is_active", "=", 1)
		.orderBy("sites.id")
		.execute();
	return rows.map(({ id, timezone, ...done }) => ({
		id,
		timezone,
		done: { analysed_day: done.analysed_day ?? "", week: done.week ?? "", month: done.month ?? "" },
	}));
}

/** Notes that something is done for a site as of a day; false when another process has done it. */
async function claim(metadata: Metadata, siteId: string, what: keyof Done, day: string): Promise<boolean> {
	await tables(metadata)
		.insertInto("lens_runs")
		.values({ site_id: siteId, ...never })
		.onConflict((conflict) => conflict.column("site_id").doNothing())
		.execute();
	const rows = await tables(metadata)
		.updateTable("lens_runs")
		.set({ [what]: day })
		.where("site_id", "=", siteId)
		.where(what, "<", day)
		.returning("site_id")
		.execute();
	return rows.length === 1;
}

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
