import type { ImportFormat, SkipReason } from "./formats/format.ts";
import type { Intake, IntakeSettings } from "./intake.ts";
import type { ImportReport } from "./report.ts";

/** Why a line does not count, where nothing more is known. */
const reasons: Readonly<Record<SkipReason, string>> = {
	malformed: "it cannot be read",
	out_of_range: "its day is out of range",
	overlap: "the site has hits of its own on its day",
	unknown_metric: "its meaning is not known",
	bot: "a program asked for it",
	other_host: "the site does not authorize its host",
	not_a_page: "it shows no page",
	repeated: "it counts the same as other rows",
};

/** Warns of an import that takes no row of its file, or of a file that mostly cannot be read; undefined for all others. */
export function shortfallOf({
	rows_accepted,
	rows_read,
	skip_reasons,
}: Pick<ImportReport, "rows_accepted" | "rows_read" | "skip_reasons">): string | undefined {
	const malformed = skip_reasons.find(({ reason }) => reason === "malformed");
	const isUnreadable = malformed !== undefined && malformed.count * 2 > rows_read;
	if (rows_accepted > 0 && !isUnreadable) return undefined;
	const main = isUnreadable
		? malformed
		: (skip_reasons.find(({ reason }) => reason !== "unknown_metric") ?? skip_reasons[0]);
	const first = main?.samples[0] ?? (main && `line ${main.sample_lines[0]}: ${reasons[main.reason]}`);
	if (rows_accepted > 0)
		return `Most of the file cannot be read: ${malformed?.count} of ${rows_read} rows. The first of them: ${first}`;
	if (first === undefined) return "No row of the file counts: it has none";
	return `No row of the file counts. The first that is left out: ${first}`;
}

export function addWarnings(
	{ result, daysWithoutHours, hasEntrances, tellsEngagement }: Intake,
	{ source, warnings = [] }: ImportFormat,
	{ attribution, timezone, fileTimezone, days: { imported } }: IntakeSettings,
): void {
	const others = new Set(imported);
	const twice = result.dates.filter((date) => others.has(date));
	const texts = [
		shortfallOf(result.report()),
		...result.unreadColumns,
		...warnings,
		twice.length > 0 &&
			`Another import has rows on ${twice.length} of these days, from ${twice[0]} to ${twice.at(-1)}: both count`,
		source === "access_log" &&
			attribution.domains.length === 0 &&
			"The site has no authorized domains: its own pages may count as referrers, and other hosts as its own",
		hasEntrances &&
			!tellsEngagement &&
			"The file does not tell which visits were engaged: all of them count as bounces, 100 % of its days",
		daysWithoutHours &&
			timezone !== fileTimezone &&
			`Days without hours are taken as they are, though the file tells them in ${fileTimezone} and the site in ${timezone}`,
	];
	for (const text of texts) if (text) result.warn(text);
}
