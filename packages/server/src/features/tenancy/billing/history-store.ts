import { type NewRow, type Row, tables } from "../../../../migrations/metadata/tables/index.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";

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
