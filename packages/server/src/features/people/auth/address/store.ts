import { type Row, tables } from "../../../../../migrations/metadata/tables/index.ts";
import type { Metadata } from "../../../../platform/metadata/metadata.ts";
import { endOneTimeTokens } from "../../one-time-tokens/index.ts";

/** A change of a user's address that waits for one of the two addresses, or both. */
export type AddressChangeRow = Row<"address_changes">;

/** The change of a user's address that waits; undefined when there is none, or its time is over. */
export const findAddressChange = (
	metadata: Metadata,
	userId: number,
	nowMs: number,
): Promise<AddressChangeRow | undefined> =>
	tables(metadata)
		.selectFrom("address_changes")
		.selectAll()
		.where("user_id", "=", userId)
		.where("expires_at", ">", nowMs)
		.executeTakeFirst();

/** Notes a change that waits, in the place of an earlier one of the user. */
export async function replaceAddressChange(metadata: Metadata, row: AddressChangeRow): Promise<void> {
	const { user_id: _, ...columns } = row;
	await tables(metadata)
		.insertInto("address_changes")
		.values(row)
		.onConflict((conflict) => conflict.column("user_id").doUpdateSet(columns))
		.execute();
}

export async function noteConfirmation(
	metadata: Metadata,
	userId: number,
	confirmed: Partial<Pick<AddressChangeRow, "current_confirmed_at" | "new_confirmed_at">>,
): Promise<void> {
	await tables(metadata).updateTable("address_changes").set(confirmed).where("user_id", "=", userId).execute();
}

/** Ends a change of the address that waits, with its links; false when there was none. Within a transaction of the caller. */
export async function endAddressChange(trx: Metadata, userId: number): Promise<boolean> {
	for (const kind of ["address_change_current", "address_change_new"] as const) {
		await endOneTimeTokens(trx, kind, userId);
	}
	const ended = await tables(trx)
		.deleteFrom("address_changes")
		.where("user_id", "=", userId)
		.returning("user_id")
		.execute();
	return ended.length === 1;
}
