import { sql } from "kysely";
import { type NewRow, type Row, tables } from "../../../../migrations/metadata/tables/index.ts";
import { utcDay } from "../../../platform/lib/timestamp.ts";
import { inChunks } from "../../../platform/metadata/in-chunks.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { PlanTier } from "../organizations/index.ts";
import type { Period, Term } from "./periods.ts";

export type SubscriptionRow = Row<"billing_subscriptions">;

/** The subscriptions of some organizations, ended ones too, oldest first. */
export const subscriptionsOf = (metadata: Metadata, organizationIds: readonly string[]): Promise<SubscriptionRow[]> =>
	organizationIds.length === 0
		? Promise.resolve([])
		: tables(metadata)
				.selectFrom("billing_subscriptions")
				.selectAll()
				.where("organization_id", "in", organizationIds)
				.orderBy("started_at")
				.orderBy("id")
				.execute();

export async function putSubscription(metadata: Metadata, row: SubscriptionRow): Promise<void> {
	const { id: _, organization_id: __, ...changes } = row;
	await tables(metadata)
		.insertInto("billing_subscriptions")
		.values(row)
		.onConflict((conflict) => conflict.column("id").doUpdateSet(changes))
		.execute();
}

/** Subscriptions that go on, each with its customer. */
export async function liveCustomers(metadata: Metadata) {
	const rows = await tables(metadata)
		.selectFrom("billing_subscriptions")
		.innerJoin("billing_accounts", "billing_accounts.organization_id", "billing_subscriptions.organization_id")
		.innerJoin("organizations", "organizations.id", "billing_subscriptions.organization_id")
		.select([
			"billing_subscriptions.id as subscriptionId",
			"billing_subscriptions.organization_id as organizationId",
			"billing_accounts.customer_id as customerId",
			"organizations.is_active as isActive",
		])
		.where("billing_subscriptions.status", "!=", "canceled")
		.orderBy("billing_subscriptions.id")
		.execute();
	return rows.flatMap(({ customerId, isActive, ...row }) =>
		customerId === null ? [] : [{ ...row, customerId, isActive: isActive === 1 }],
	);
}

/** The active one; the latest of several. */
export const liveOne = (subscriptions: readonly SubscriptionRow[]): SubscriptionRow | undefined =>
	subscriptions.findLast(({ status }) => status !== "canceled");

/** Their lives in days. */
export const termsOf = (subscriptions: readonly SubscriptionRow[]): Term[] =>
	subscriptions.map((one) => ({
		start: utcDay(one.started_at),
		end: one.ended_at === null ? null : utcDay(one.ended_at),
		anchor: utcDay(one.anchor_at),
	}));

export const isEventKnown = async (metadata: Metadata, id: string): Promise<boolean> =>
	(await tables(metadata).selectFrom("billing_events").select("id").where("id", "=", id).executeTakeFirst()) !==
	undefined;

export async function insertEvent(metadata: Metadata, row: Row<"billing_events">): Promise<void> {
	await tables(metadata)
		.insertInto("billing_events")
		.values(row)
		.onConflict((conflict) => conflict.column("id").doNothing())
		.execute();
}

/** Forgets events that the provider does not send again. */
export async function dropEvents(metadata: Metadata, beforeMs: number): Promise<void> {
	await tables(metadata).deleteFrom("billing_events").where("received_at", "<", beforeMs).execute();
}

/** History of an organization's subscriptions, newest first. */
export const listHistory = (
	metadata: Metadata,
	{ organizationId, limit, offset }: { organizationId: string; limit: number; offset: number },
) =>
	tables(metadata)
		.selectFrom("billing_history")
		.leftJoin("users", "users.id", "billing_history.user_id")
		.selectAll("billing_history")
		.select(["users.email as user_email", "users.name as user_name"])
		.where("billing_history.organization_id", "=", organizationId)
		.orderBy("billing_history.id", "desc")
		.limit(limit)
		.offset(offset)
		.execute();

export async function insertHistory(metadata: Metadata, row: NewRow<"billing_history">): Promise<void> {
	await tables(metadata).insertInto("billing_history").values(row).execute();
}

type AccountRow = Row<"billing_accounts">;

const unknown = (organizationId: string): AccountRow => ({
	organization_id: organizationId,
	accounting_email: null,
	customer_id: null,
	checkout_id: null,
	counted_at: null,
	judged_until: null,
});

/** Billing account of an organization; defaults if it has no row. */
export const findAccount = async (metadata: Metadata, organizationId: string): Promise<AccountRow> =>
	(await findAccounts(metadata, [organizationId]))(organizationId);

/** The organization that a customer of the payment provider is. */
export const findAccountOfCustomer = (metadata: Metadata, customerId: string): Promise<AccountRow | undefined> =>
	tables(metadata).selectFrom("billing_accounts").selectAll().where("customer_id", "=", customerId).executeTakeFirst();

/** The same of several, by organization. */
export async function findAccounts(
	metadata: Metadata,
	organizationIds: readonly string[],
): Promise<(organizationId: string) => AccountRow> {
	if (organizationIds.length === 0) return unknown;
	const rows = await tables(metadata)
		.selectFrom("billing_accounts")
		.selectAll()
		.where("organization_id", "in", organizationIds)
		.execute();
	const byId = new Map(rows.map((row) => [row.organization_id, row]));
	return (id) => byId.get(id) ?? unknown(id);
}

export async function changeAccount(
	metadata: Metadata,
	organizationId: string,
	changes: Partial<Omit<AccountRow, "organization_id">>,
): Promise<void> {
	await tables(metadata)
		.insertInto("billing_accounts")
		.values({ organization_id: organizationId, ...changes })
		.onConflict((conflict) => conflict.column("organization_id").doUpdateSet(changes))
		.execute();
}

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
