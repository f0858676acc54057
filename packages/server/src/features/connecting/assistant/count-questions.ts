import { tables } from "../../../../migrations/metadata/tables/index.ts";
import { todayIn } from "../../../analytics/query/question/resolve-range.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { QUESTIONS_A_MONTH } from "./bounds.ts";

/** Questions of a site in a month of its time zone. */
interface MonthOfSite {
	readonly siteId: string;
	/** As `2026-11`. */
	readonly month: string;
}

/** Questions in a month, and the operator's bonus. */
interface Usage {
	readonly questions: number;
	readonly bonus: number;
}

/** Questions of a site in a month. */
async function findUsage(metadata: Metadata, { siteId, month }: MonthOfSite): Promise<Usage> {
	const row = await tables(metadata)
		.selectFrom("assistant_usage")
		.select(["questions", "bonus"])
		.where("site_id", "=", siteId)
		.where("month", "=", month)
		.executeTakeFirst();
	return row ?? { questions: 0, bonus: 0 };
}

async function beginMonth(metadata: Metadata, { siteId, month }: MonthOfSite): Promise<void> {
	await tables(metadata)
		.insertInto("assistant_usage")
		.values({ site_id: siteId, month, questions: 0, bonus: 0 })
		.onConflict((conflict) => conflict.columns(["site_id", "month"]).doNothing())
		.execute();
}

/** Counts a question when there is one left; one statement decides, so that several processes give out none twice. */
async function takeQuestion(metadata: Metadata, of: MonthOfSite, most: number): Promise<boolean> {
	await beginMonth(metadata, of);
	const taken = await tables(metadata)
		.updateTable("assistant_usage")
		.set((usage) => ({ questions: usage("questions", "+", 1) }))
		.where("site_id", "=", of.siteId)
		.where("month", "=", of.month)
		.where((usage) => usage("questions", "<", usage("bonus", "+", most)))
		.returning("questions")
		.execute();
	return taken.length === 1;
}

/** Takes back a question that was not answered. */
async function giveQuestionBack(metadata: Metadata, { siteId, month }: MonthOfSite): Promise<void> {
	await tables(metadata)
		.updateTable("assistant_usage")
		.set((usage) => ({ questions: usage("questions", "-", 1) }))
		.where("site_id", "=", siteId)
		.where("month", "=", month)
		.where("questions", ">", 0)
		.execute();
}

/** Sets how many questions a site has beyond the usual number in a month. */
async function writeBonus(metadata: Metadata, of: MonthOfSite, bonus: number): Promise<void> {
	await beginMonth(metadata, of);
	await tables(metadata)
		.updateTable("assistant_usage")
		.set({ bonus })
		.where("site_id", "=", of.siteId)
		.where("month", "=", of.month)
		.execute();
}

/** Dependencies of counting. */
export interface CountDeps {
	readonly metadata: Metadata;
	readonly clock: Clock;
}

/** A site in whose months is counted. */
export interface CountedSite {
	readonly id: string;
	/** IANA zone. */
	readonly timezone: string;
}

/** The questions of a site in the present month. */
export interface MonthUsage extends Usage {
	readonly first: Temporal.PlainDate;
	readonly last: Temporal.PlainDate;
}

const monthOf = (clock: Clock, { id, timezone }: CountedSite): MonthOfSite => ({
	siteId: id,
	month: todayIn(timezone, clock).toString().slice(0, 7),
});

/** Usage of a site in the current month of its time zone. */
export async function usageOf({ metadata, clock }: CountDeps, site: CountedSite): Promise<MonthUsage> {
	const today = todayIn(site.timezone, clock);
	const usage = await findUsage(metadata, monthOf(clock, site));
	return { ...usage, first: today.with({ day: 1 }), last: today.with({ day: today.daysInMonth }) };
}

/** Counts a question; false when none is left. */
export const countQuestion = ({ metadata, clock }: CountDeps, site: CountedSite): Promise<boolean> =>
	takeQuestion(metadata, monthOf(clock, site), QUESTIONS_A_MONTH);

/** Gives a site questions beyond the usual number, in the present month; as many as that in all. */
export const giveBonus = ({ metadata, clock }: CountDeps, site: CountedSite, bonus: number): Promise<void> =>
	writeBonus(metadata, monthOf(clock, site), bonus);

/**
 * Does what answers a question, which counts unless that throws. It is counted beforehand, so that of questions that come at
 * once no more are asked than are left. Throws `quota_exceeded`.
 */
export async function counted<Answer>(
	{ metadata, clock }: CountDeps,
	site: CountedSite,
	work: () => Promise<Answer>,
): Promise<Answer> {
	const month = monthOf(clock, site);
	if (!(await takeQuestion(metadata, month, QUESTIONS_A_MONTH))) throw usedUp(site, clock);
	try {
		return await work();
	} catch (error) {
		await giveQuestionBack(metadata, month);
		throw error;
	}
}

function usedUp({ timezone }: CountedSite, clock: Clock): ServiceError {
	const next = todayIn(timezone, clock).with({ day: 1 }).add({ months: 1 });
	const begins = next.toZonedDateTime(timezone).epochMilliseconds;
	return new ServiceError("quota_exceeded", {
		message: `The site's questions of this month are used up; the next month begins on ${next}`,
		retryAfter: Math.max(1, Math.ceil((begins - clock.now()) / 1000)),
	});
}
