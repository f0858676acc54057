import { type NewRow, type Row, tables } from "../../../../migrations/metadata/tables/index.ts";
import { utcDay } from "../../../platform/lib/timestamp.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { Term } from "./periods.ts";

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

/** Notes what happened to a subscription. */
export async function insertHistory(metadata: Metadata, row: NewRow<"billing_history">): Promise<void> {
	await tables(metadata).insertInto("billing_history").values(row).execute();
}

/** Something that happened to a subscription, with who did it. */
export type HistoryRow = Row<"billing_history"> & {
	readonly user_email: string | null;
	readonly user_name: string | null;
};

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
	(await tables(metadata)
		.selectFrom("billing_accounts")
		.selectAll()
		.where("organization_id", "=", organizationId)
		.executeTakeFirst()) ?? unknown(organizationId);

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

/** Changes what billing knows of an organization. */
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
