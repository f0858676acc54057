import { DAY_MS } from "../../../../platform/lib/durations.ts";
import { uuid } from "../../../../platform/lib/ids.ts";
import type { Metadata } from "../../../../platform/metadata/metadata.ts";
import { type Finding, severities } from "../rules/finding.ts";
import type { Compared } from "../rules/week-figures.ts";
import { type InsightRow, lensInsights } from "../store.ts";

const KEPT_MS = 30 * DAY_MS;
/** An insight ends this many days after the last run that found it, so that an intermittent one is counted once. */
const CALM_DAYS = 7;

export interface Found {
	readonly siteId: string;
	readonly findings: readonly Finding[];
	/** First and last day of each of the weeks, `YYYY-MM-DD`. */
	readonly days: Compared<{ readonly start: string; readonly end: string }>;
	readonly nowMs: number;
}

const keyOf = ({ rule, entity }: Pick<Finding, "rule" | "entity">): string => `${rule} ${entity ?? ""}`;

const isWorse = (one: Finding["severity"], other: Finding["severity"]): boolean =>
	severities.indexOf(one) < severities.indexOf(other);

/**
 * Notes what a run found, in the transaction of the run: of each rule and entity one insight is open, which is brought up to
 * date as long as it lasts and ends when it has not been found for a week. Answers those that are new or have become worse.
 */
export async function noteFindings(trx: Metadata, found: Found): Promise<string[]> {
	const rows = await lensInsights.list(trx, { site_id: found.siteId, open_key: { "is not": null } }, "id");
	const open = new Map(rows.map((row) => [row.open_key, row]));
	const told: string[] = [];
	for (const finding of found.findings) {
		const row = open.get(keyOf(finding));
		const isOver = row !== undefined && row.expires_at <= found.nowMs && row.dismissed_at === null;
		if (isOver) await lensInsights.update(trx, { id: row.id }, { open_key: null });
		const id = row === undefined || isOver ? await begin(trx, found, finding) : await goOn(trx, found, finding, row);
		if (id !== undefined) told.push(id);
	}
	const keys = new Set(found.findings.map(keyOf));
	for (const row of open.values()) {
		if (!keys.has(row.open_key ?? "") && isCalm(row, found))
			await lensInsights.update(trx, { id: row.id }, { open_key: null });
	}
	return told;
}

const isCalm = ({ last_day: lastDay }: InsightRow, { days }: Found): boolean =>
	Temporal.PlainDate.from(lastDay).until(days.now.end, { largestUnit: "days" }).days >= CALM_DAYS;

const storedFinding = (finding: Finding, { days }: Found): string => JSON.stringify({ ...finding, days });

async function begin(trx: Metadata, found: Found, finding: Finding): Promise<string | undefined> {
	const { siteId, days, nowMs } = found;
	const row = {
		id: uuid(),
		site_id: siteId,
		rule: finding.rule,
		entity: finding.entity,
		open_key: keyOf(finding),
		severity: finding.severity,
		finding: storedFinding(finding, found),
		first_day: days.before.start,
		last_day: days.now.end,
		created_at: nowMs,
		updated_at: nowMs,
		expires_at: nowMs + KEPT_MS,
	};
	// Undefined when one of its rule and entity is open.
	return (await lensInsights.insertUnlessTaken(trx, row, "site_id", "open_key"))?.id;
}

/** A worsened insight is unread again; a dismissed one stays dismissed while it lasts. */
async function goOn(trx: Metadata, found: Found, finding: Finding, row: InsightRow): Promise<string | undefined> {
	const { days, nowMs } = found;
	const hasWorsened = isWorse(finding.severity, row.severity);
	await lensInsights.update(
		trx,
		{ id: row.id },
		{
			severity: hasWorsened ? finding.severity : row.severity,
			finding: storedFinding(finding, found),
			last_day: days.now.end,
			updated_at: nowMs,
			...(row.dismissed_at !== null && { expires_at: nowMs + KEPT_MS }),
			...(hasWorsened && { read_at: null }),
		},
	);
	return hasWorsened && row.dismissed_at === null ? row.id : undefined;
}
