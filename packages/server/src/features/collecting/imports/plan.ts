import { todayIn } from "../../../analytics/query/question/resolve-range.ts";
import { countedDays } from "../../../analytics/query/reports/counted-days.ts";
import { JobFailure } from "../../../platform/jobs/job-failure.ts";
import { findSite, readSiteFacts } from "../../tenancy/sites/index.ts";
import type { DayPlan } from "./day-rules.ts";
import type { ImportDeps } from "./deps.ts";
import type { IntakePlan } from "./intake.ts";
import type { ImportRow } from "./store.ts";

/** No log is older, and no day before it is one that a report can show. */
const FIRST_DAY = "1990-01-01";

/** Decides which days of a file count. */
export async function planDays(deps: ImportDeps, row: ImportRow): Promise<DayPlan> {
	const site = await findSite(deps.metadata, row.site_id);
	if (site === undefined || site.is_active !== 1) throw siteIsGone();
	const { own, imported } = await countedDays(deps, row.site_id);
	const today = todayIn(site.timezone, deps.clock);
	const months = site.data_retention_months;
	const earliest = months === null ? FIRST_DAY : today.subtract({ months }).toString();
	return { from: row.date_from, to: row.date_to, earliest, today: today.toString(), own, imported };
}

/** Plan by which rows and report of an import are made, without its salt. */
export async function planIntake(deps: ImportDeps, row: ImportRow, days: DayPlan): Promise<IntakePlan> {
	const site = (await readSiteFacts(deps.metadata, [row.site_id])).get(row.site_id);
	if (site === undefined) throw siteIsGone();
	await deps.attribution.refresh();
	const { domains, utmMappings, timezone, botThreshold } = site;
	return {
		siteId: site.id,
		importId: row.import_id,
		timezone,
		fileTimezone: row.timezone,
		botThreshold,
		days,
		salt: "",
		timeoutMs: deps.sessionTimeoutMs,
		rules: deps.attribution.rules(site.id),
		domains,
		utmMappings,
		paymentDomains: deps.paymentDomains,
	};
}

const siteIsGone = () => new JobFailure("The site was deleted", { isFinal: true, isOurs: false });
