import { type Row, tables } from "../../../../migrations/metadata/tables/index.ts";
import { utcDay } from "../../../platform/lib/timestamp.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { Term } from "./periods.ts";

/** A subscription as stored. */
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

/** Stores a subscription as it is now. */
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
