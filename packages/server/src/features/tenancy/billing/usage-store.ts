import { sql } from "kysely";
import { type Row, tables } from "../../../../migrations/metadata/tables/index.ts";
import { inChunks } from "../../../platform/metadata/in-chunks.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { PlanTier } from "../organizations/index.ts";
import type { Period } from "./periods.ts";

/** Events of an organization on a day. */
export interface UsageDay {
	organization_id: string;
	/** `YYYY-MM-DD` */
	day: string;
	human_events: number;
	agent_events: number;
}

export type UsagePeriodRow = Row<"usage_periods">;

/** Values a statement: SQLite writes on the thread that takes hits. */
const PORTION = 200;

/** Stored events of a day, or the collected ones where data of the day were deleted meanwhile. */
const humanEvents = sql<number>`case when collected_events > human_events then collected_events else human_events end`;

/** The days of some organizations from a day on, and what of their stored events is no usage. */
export const daysSince = (
	metadata: Metadata,
	organizationIds: readonly string[],
	from: string,
): Promise<(UsageDay & Pick<Row<"usage_days">, "earlier_events">)[]> =>
	tables(metadata)
		.selectFrom("usage_days")
		.select(["organization_id", "day", "agent_events", "earlier_events", humanEvents.as("human_events")])
		.where("organization_id", "in", organizationIds)
		.where("day", ">=", from)
		.execute();

/** Events of some organizations since the beginning. */
export async function lifetimeEvents(
	metadata: Metadata,
	organizationIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
	const rows = await inChunks(organizationIds, (some) =>
		tables(metadata)
			.selectFrom("usage_days")
			.select((query) => ["organization_id", query.fn.sum<number | string>(humanEvents).as("events")])
			.where("organization_id", "in", some)
			.groupBy("organization_id")
			.execute(),
	);
	return new Map(rows.map(({ organization_id: id, events }) => [id, Number(events)]));
}

/** Events that a collector took on a day. */
export type CollectedDay = Pick<Row<"usage_days">, "organization_id" | "day" | "collected_events">;

/** Events of a day that were stored and are no usage. */
type EarlierDay = Pick<Row<"usage_days">, "organization_id" | "day" | "earlier_events">;

/** Adds events to their days, those that a collector took or those that are no usage: all of them, or none when it throws. */
export async function addToDays(metadata: Metadata, days: readonly (CollectedDay | EarlierDay)[]): Promise<void> {
	const none = { human_events: 0, agent_events: 0, collected_events: 0, earlier_events: 0 };
	if (days.length === 0) return;
	await metadata.transaction().execute(async (trx) => {
		for (let first = 0; first < days.length; first += PORTION) {
			await tables(trx)
				.insertInto("usage_days")
				.values(days.slice(first, first + PORTION).map((day) => ({ ...none, ...day })))
				.onConflict((conflict) =>
					conflict.columns(["organization_id", "day"]).doUpdateSet((query) => ({
						collected_events: query("usage_days.collected_events", "+", query.ref("excluded.collected_events")),
						earlier_events: query("usage_days.earlier_events", "+", query.ref("excluded.earlier_events")),
					})),
				)
				.execute();
		}
	});
}

export async function firstDay(metadata: Metadata, organizationId: string): Promise<string | undefined> {
	const row = await tables(metadata)
		.selectFrom("usage_days")
		.select((query) => query.fn.min("day").as("day"))
		.where("organization_id", "=", organizationId)
		.executeTakeFirst();
	return row?.day ?? undefined;
}

/** Keeps the higher count of each day. */
export async function raiseDays(metadata: Metadata, days: readonly UsageDay[]): Promise<void> {
	for (let first = 0; first < days.length; first += PORTION) {
		await tables(metadata)
			.insertInto("usage_days")
			.values(days.slice(first, first + PORTION))
			.onConflict((conflict) =>
				conflict.columns(["organization_id", "day"]).doUpdateSet((query) => {
					const higher = (column: "human_events" | "agent_events") =>
						query
							.case()
							.when(`excluded.${column}`, ">", query.ref(`usage_days.${column}`))
							.then(query.ref(`excluded.${column}`))
							.else(query.ref(`usage_days.${column}`))
							.end();
					return { human_events: higher("human_events"), agent_events: higher("agent_events") };
				}),
			)
			.execute();
	}
}

/** The periods of an organization that were judged, newest first. */
export const judgedPeriods = (metadata: Metadata, organizationId: string, limit: number): Promise<UsagePeriodRow[]> =>
	tables(metadata)
		.selectFrom("usage_periods")
		.selectAll()
		.where("organization_id", "=", organizationId)
		.orderBy("period_start", "desc")
		.limit(limit)
		.execute();

/** Whether a period that began in a year was forgiven. */
export async function wasForgivenIn(metadata: Metadata, organizationId: string, year: string): Promise<boolean> {
	const row = await tables(metadata)
		.selectFrom("usage_periods")
		.select("period_start")
		.where("organization_id", "=", organizationId)
		.where("period_start", "like", `${year}-%`)
		.where("is_forgiven", "=", 1)
		.limit(1)
		.executeTakeFirst();
	return row !== undefined;
}

/** Notes what was decided of a period; false when somebody did before. */
export async function insertPeriod(metadata: Metadata, row: UsagePeriodRow): Promise<boolean> {
	const made = await tables(metadata)
		.insertInto("usage_periods")
		.values(row)
		.onConflict((conflict) => conflict.columns(["organization_id", "period_start"]).doNothing())
		.returning("period_start")
		.executeTakeFirst();
	return made !== undefined;
}

/** Notes that a share of a plan was passed; false when it was noted before. */
export async function insertNotice(
	metadata: Metadata,
	notice: { organizationId: string; period: Period | undefined; plan: PlanTier; percent: number; nowMs: number },
): Promise<boolean> {
	const made = await tables(metadata)
		.insertInto("usage_notices")
		.values({
			organization_id: notice.organizationId,
			period_start: notice.period?.start ?? "",
			plan_tier: notice.plan,
			percent: notice.percent,
			noted_at: notice.nowMs,
		})
		.onConflict((conflict) => conflict.columns(["organization_id", "period_start", "plan_tier", "percent"]).doNothing())
		.returning("percent")
		.executeTakeFirst();
	return made !== undefined;
}

/** Active organizations behind an id, by id. */
export const nextOrganizations = (metadata: Metadata, afterId: string, limit: number) =>
	tables(metadata)
		.selectFrom("organizations")
		.selectAll()
		.where("is_active", "=", 1)
		.where("id", ">", afterId)
		.orderBy("id")
		.limit(limit)
		.execute();
