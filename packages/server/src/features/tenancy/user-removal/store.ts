import { tables } from "../../../../migrations/metadata/tables/index.ts";
import { tableOf } from "../../../../migrations/metadata/tables/table-of.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";

const users = tableOf("users");

/** Accounts with a password that were made before a moment and whose address is unconfirmed, behind an id, oldest first. */
export async function selectUnconfirmed(
	metadata: Metadata,
	{ before, afterId, limit }: { readonly before: number; readonly afterId: number; readonly limit: number },
): Promise<number[]> {
	const made = { id: { ">": afterId }, created_at: { "<": before } };
	const unconfirmed = { ...made, email_verified_at: null, password_hash: { "is not": null } };
	return (await users.first(metadata, limit, unconfirmed, "id")).map(({ id }) => id);
}

const emptied = (userId: number, nowMs: number) => ({
	email: `deleted-${userId}@deleted.invalid`,
	name: "deleted user",
	role: "user" as const,
	password_hash: null,
	is_active: 0,
	updated_at: nowMs,
});

/** Empties an account for good: its row stays for what points at it. */
export async function eraseUser(metadata: Metadata, userId: number, nowMs: number): Promise<void> {
	await users.update(metadata, { id: userId }, { ...emptied(userId, nowMs), two_factor_enabled_at: null });
}

/** Empties an account whose address is still not confirmed; false when it was confirmed. */
export const eraseUnconfirmed = async (metadata: Metadata, userId: number, nowMs: number): Promise<boolean> =>
	(await users.update(metadata, { id: userId, email_verified_at: null }, emptied(userId, nowMs))) !== undefined;

/**
 * Forgets what else is a person's alone: sessions and visits with their addresses, private views, conversations
 * with the assistant, the address in invitations that were accepted and among those who get mails of sites, and from where a
 * plan was bought. An unsubscription stays, so that the address is not added back.
 */
export async function forgetPerson(
	metadata: Metadata,
	{ userId, email }: { readonly userId: number; readonly email: string },
): Promise<void> {
	const db = tables(metadata);
	await db.deleteFrom("sessions").where("user_id", "=", userId).execute();
	await db.deleteFrom("saved_views").where("created_by", "=", userId).where("is_shared", "=", 0).execute();
	await db.deleteFrom("lens_feedback").where("user_id", "=", userId).execute();
	const conversations = db.selectFrom("assistant_conversations").select("id").where("user_id", "=", userId);
	await db.deleteFrom("assistant_messages").where("conversation_id", "in", conversations).execute();
	await db.deleteFrom("assistant_conversations").where("user_id", "=", userId).execute();
	await db.updateTable("billing_history").set({ ip_address: null }).where("user_id", "=", userId).execute();
	await db.deleteFrom("ip_allowlist_attempts").where("user_id", "=", userId).execute();
	await db
		.updateTable("invitations")
		.set({ email: emptied(userId, 0).email })
		.where("accepted_by", "=", userId)
		.execute();
	await db.deleteFrom("mail_report_recipients").where("email", "=", email).execute();
	await db.deleteFrom("mail_recipients").where("email", "=", email).where("refused_at", "is", null).execute();
}

export async function deleteRoles(metadata: Metadata, userId: number): Promise<void> {
	await tables(metadata).deleteFrom("site_members").where("user_id", "=", userId).execute();
	await tables(metadata).deleteFrom("organization_members").where("user_id", "=", userId).execute();
}
