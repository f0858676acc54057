import type { DayPlan } from "./day-rules.ts";
import type { IntakeSettings } from "./intake.ts";
import { formatOf } from "./read-items.ts";
import type { ReportBuilder } from "./report.ts";
import type { ImportRow } from "./store.ts";

/** Says what somebody should know before the rows count. */
export function addWarnings(
	result: ReportBuilder,
	{ source }: Pick<ImportRow, "source">,
	{ imported }: DayPlan,
	{ attribution, timezone, fileTimezone }: IntakeSettings,
): void {
	for (const text of formatOf(source).warnings ?? []) result.warn(text);
	const others = new Set(imported);
	const twice = result.dates.filter((date) => others.has(date));
	if (twice.length > 0) {
		result.warn(
			`Another import has rows on ${twice.length} of these days, from ${twice[0]} to ${twice.at(-1)}: both count`,
		);
	}
	if (source === "access_log" && attribution.domains.length === 0) {
		result.warn("The site has no authorized domains: its own pages may count as referrers, and other hosts as its own");
	}
	if (source !== "access_log" && timezone !== fileTimezone) {
		result.warn(
			`Days without hours are taken as they are, though the file tells them in ${fileTimezone} and the site in ${timezone}`,
		);
	}
}
