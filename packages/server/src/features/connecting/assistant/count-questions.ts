import { todayIn } from "../../../analytics/query/question/resolve-range.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { QUESTIONS_A_MONTH } from "./bounds.ts";
import { findUsage, giveQuestionBack, type MonthOfSite, takeQuestion, type Usage, writeBonus } from "./store.ts";

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
		message: `The site has used all questions of this month; the next month starts on ${next}`,
		retryAfter: Math.max(1, Math.ceil((begins - clock.now()) / 1000)),
	});
}
