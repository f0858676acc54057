import { type Row, tables } from "../../../../migrations/metadata/tables/index.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";

/** Billing account of an organization. */
export type AccountRow = Row<"billing_accounts">;

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
