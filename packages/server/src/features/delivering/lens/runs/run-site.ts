import type { DateRange } from "../../../../analytics/query/question/date-range.ts";
import { monthStart, weekStart } from "../../../../analytics/query/question/periods.ts";
import type { Metadata } from "../../../../platform/metadata/metadata.ts";
import type { WatchDeps } from "../../mail-recipients/index.ts";
import { noteFindings } from "../insights/note-findings.ts";
import { mailReport, tellInsights } from "../mails.ts";
import { makeReport, monthlyPeriod, weeklyPeriod } from "../reports/make-report.ts";
import { judge } from "../rules/judge.ts";
import type { LensSite } from "../rules/week-figures.ts";
import { readFigures, weeksBefore } from "../rules/week-figures.ts";
import {
	claim,
	type Done,
	findDone,
	findSettings,
	listSettings,
	listSites,
	type Settings,
	usualSettings,
} from "../store.ts";

const daysOf = ({ start, end }: DateRange) => ({
	start: start.toString(),
	end: end.toString(),
});

/** Looks at a site and notes what was found; `then` gets the new insights in the same transaction, and may throw. */
export async function analyse(
	deps: WatchDeps,
	site: LensSite,
	day: Temporal.PlainDate,
	{
		isWanted,
		follow,
	}: { isWanted(trx: Metadata): Promise<boolean>; follow(trx: Metadata, ids: readonly string[]): Promise<void> },
): Promise<void> {
	const figures = await readFigures(deps, site, day);
	const { now, before } = weeksBefore(day);
	const found = {
		siteId: site.id,
		findings: figures === undefined ? [] : judge(figures),
		days: { now: daysOf(now), before: daysOf(before) },
		nowMs: deps.clock.now(),
	};
	await deps.metadata.transaction().execute(async (trx) => {
		if (await isWanted(trx)) await follow(trx, await noteFindings(trx, found));
	});
}

const MORNING = 6;

/** The day of the last morning of a site; its clocks decide, so that a change of theirs moves no morning. */
const lastMorning = (timezone: string, nowMs: number): Temporal.PlainDate =>
	Temporal.Instant.fromEpochMilliseconds(nowMs)
		.toZonedDateTimeISO(timezone)
		.toPlainDateTime()
		.subtract({ hours: MORNING })
		.toPlainDate();

/** Due tasks as of a day, and the day they will have run for. A missed run is made up for once. */
function dueOn(day: Temporal.PlainDate, { analysis_frequency: frequency }: Settings, done: Done): Partial<Done> {
	if (frequency === "manual") return {};
	const from = (frequency === "daily" ? day : weekStart(day)).toString();
	const [week, month] = [weekStart(day).toString(), monthStart(day).toString()];
	return {
		...(done.analysed_day < from && { analysed_day: day.toString() }),
		...(done.week < week && { week }),
		...(done.month < month && { month }),
	};
}

export const RUN_JOB = "lens-run";

export async function askRuns(deps: WatchDeps): Promise<void> {
	const settings = await listSettings(deps.metadata);
	const jobs = (await listSites(deps.metadata)).flatMap(({ id, timezone, done }) => {
		const own = settings.get(id) ?? usualSettings;
		const day = lastMorning(timezone, deps.clock.now());
		if (!own.is_enabled || Object.keys(dueOn(day, own, done)).length === 0) return [];
		return [{ kind: RUN_JOB, payload: { siteId: id }, uniqueKey: `${id} ${day}` }];
	});
	if (jobs.length > 0) await deps.jobs.enqueueAll(deps.metadata, jobs);
}

/** Does what is due for a site: looks at it, and makes the report of the week or month that ended. Each once a day at most. */
export async function runSite(deps: WatchDeps, { siteId }: { readonly siteId: string }): Promise<void> {
	const site = deps.sites.get(siteId);
	const settings = await findSettings(deps.metadata, siteId);
	if (site?.isActive !== true || !settings.is_enabled) return;
	const of = { id: siteId, timezone: site.timezone };
	const day = lastMorning(site.timezone, deps.clock.now());
	const due = dueOn(day, settings, await findDone(deps.metadata, siteId));
	const { analysed_day: analysed } = due;
	if (analysed !== undefined) {
		await analyse(deps, of, day, {
			isWanted: (trx) => claim(trx, siteId, "analysed_day", analysed),
			follow: (trx, ids) => tellInsights(deps, trx, { siteId, settings, ids }),
		});
	}
	for (const [what, periodOf] of [["week", weeklyPeriod] as const, ["month", monthlyPeriod] as const]) {
		const until = due[what];
		if (until === undefined) continue;
		await makeReport(deps, siteId, periodOf(day), {
			isWanted: (trx) => claim(trx, siteId, what, until),
			skipsEmpty: true,
			follow: (trx, report) => mailReport(deps, trx, { siteId, settings, report }),
		});
	}
}
