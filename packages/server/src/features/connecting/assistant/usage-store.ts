import { tables } from "../../../../migrations/metadata/tables/index.ts";
import { tableOf } from "../../../../migrations/metadata/tables/table-of.ts";
import { todayIn } from "../../../analytics/query/question/resolve-range.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import type { ChangeDeps } from "../../auditing/audit-log/index.ts";
import type { SiteRow } from "../../tenancy/sites/index.ts";

/** Questions that a site may ask in a month. */
export const QUESTIONS_A_MONTH = 100;

const usages = tableOf("assistant_usage");

type CountedSite = Pick<SiteRow, "id" | "timezone">;

/** Key of the row that counts the present month of a site's time zone. */
const monthOf = (clock: Clock, { id, timezone }: CountedSite) => ({
	site_id: id,
	month: todayIn(timezone, clock).toString().slice(0, 7),
});

/** Questions of a site in the present month, and the operator's bonus. */
export async function usageOf({ metadata, clock }: ChangeDeps, site: CountedSite) {
	const today = todayIn(site.timezone, clock);
	const { questions, bonus } = (await usages.find(metadata, monthOf(clock, site))) ?? { questions: 0, bonus: 0 };
	return { questions, bonus, first: today.with({ day: 1 }), last: today.with({ day: today.daysInMonth }) };
}

export type MonthUsage = Awaited<ReturnType<typeof usageOf>>;

async function beginMonth(deps: ChangeDeps, site: CountedSite) {
	const month = monthOf(deps.clock, site);
	await usages.insertUnlessTaken(deps.metadata, { ...month, questions: 0, bonus: 0 }, "site_id", "month");
	return month;
}

/**
 * Counts a question when there is one left, and answers its month; undefined when there is none. One statement decides, so
 * that several processes give out none twice.
 */
export async function countQuestion(deps: ChangeDeps, site: CountedSite) {
	const month = await beginMonth(deps, site);
	const taken = await tables(deps.metadata)
		.updateTable("assistant_usage")
		.set((usage) => ({ questions: usage("questions", "+", 1) }))
		.where((usage) => usage.and(month))
		.where((usage) => usage("questions", "<", usage("bonus", "+", QUESTIONS_A_MONTH)))
		.returning("questions")
		.execute();
	return taken.length === 1 ? month : undefined;
}

/** Gives a site questions beyond the usual number, in the present month; as many as that in all. */
export async function giveBonus(deps: ChangeDeps, site: CountedSite, bonus: number): Promise<void> {
	await usages.update(deps.metadata, await beginMonth(deps, site), { bonus });
}

/**
 * Does what answers a question, which counts unless that throws. It is counted beforehand, so that of questions that come at
 * once no more are asked than are left. Throws `quota_exceeded`.
 */
export async function counted<Answer>(
	deps: ChangeDeps,
	site: CountedSite,
	work: () => Promise<Answer>,
): Promise<Answer> {
	const month = await countQuestion(deps, site);
	if (month === undefined) throw usedUp(site, deps.clock);
	try {
		return await work();
	} catch (error) {
		await tables(deps.metadata)
			.updateTable("assistant_usage")
			.set((usage) => ({ questions: usage("questions", "-", 1) }))
			.where((usage) => usage.and(month))
			.where("questions", ">", 0)
			.execute();
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
