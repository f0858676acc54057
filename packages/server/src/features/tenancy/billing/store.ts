import { sql } from "kysely";
import { type Row, tables } from "../../../../migrations/metadata/tables/index.ts";
import { tableOf } from "../../../../migrations/metadata/tables/table-of.ts";
import { utcDay } from "../../../platform/lib/timestamp.ts";
import { inChunks } from "../../../platform/metadata/in-chunks.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { Term } from "./periods.ts";

export type SubscriptionRow = Row<"billing_subscriptions">;

export const subscriptions = tableOf("billing_subscriptions");

/** The subscriptions of an organization, ended ones too, oldest first. */
export const subscriptionsOf = (metadata: Metadata, organization_id: string): Promise<SubscriptionRow[]> =>
	subscriptions.list(metadata, { organization_id }, "started_at", "id");

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
export const liveOne = (rows: readonly SubscriptionRow[]): SubscriptionRow | undefined =>
	rows.findLast(({ status }) => status !== "canceled");

/** Their lives in days. */
export const termsOf = (rows: readonly SubscriptionRow[]): Term[] =>
	rows.map((one) => ({
		start: utcDay(one.started_at),
		end: one.ended_at === null ? null : utcDay(one.ended_at),
		anchor: utcDay(one.anchor_at),
	}));

/** Events of the payment provider that were handled. */
export const events = tableOf("billing_events");

export const history = tableOf("billing_history");

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

type AccountRow = Row<"billing_accounts">;

export const accounts = tableOf("billing_accounts");

const noAccount: Omit<AccountRow, "organization_id"> = {
	accounting_email: null,
	customer_id: null,
	checkout_id: null,
	counted_at: null,
	judged_until: null,
};

/** Billing account of an organization; defaults if it has no row. */
export const findAccount = async (metadata: Metadata, organization_id: string): Promise<typeof noAccount> =>
	(await accounts.find(metadata, { organization_id })) ?? noAccount;

export const changeAccount = (metadata: Metadata, organization_id: string, changes: Partial<typeof noAccount>) =>
	accounts.upsert(metadata, { organization_id, ...changes }, ["organization_id"], changes);

/** Events of an organization on a day. */
export type UsageDay = Pick<Row<"usage_days">, "organization_id" | "day" | "human_events" | "agent_events">;

const usageDays = tableOf("usage_days");

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

export const firstDay = async (metadata: Metadata, organization_id: string): Promise<string | undefined> =>
	(await usageDays.find(metadata, { organization_id }, "day"))?.day;

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

export const usagePeriods = tableOf("usage_periods");

/** The periods of an organization that were judged, newest first. */
export const judgedPeriods = (metadata: Metadata, organization_id: string, limit: number): Promise<UsagePeriodRow[]> =>
	usagePeriods.first(metadata, limit, { organization_id }, "period_start desc");

export async function wasForgivenIn(metadata: Metadata, organization_id: string, year: string): Promise<boolean> {
	const period_start = { ">=": `${year}-01-01`, "<=": `${year}-12-31` };
	return (await usagePeriods.count(metadata, { organization_id, period_start, is_forgiven: 1 })) > 0;
}

/** Shares of a plan that were passed. */
export const usageNotices = tableOf("usage_notices");
