import type { Metadata } from "../platform/metadata/metadata.ts";
import type { AccessTables } from "./access-tables.ts";

/** A session with its user, in one query; undefined when the session does not exist. */
export function findSession(metadata: Metadata, sessionId: string) {
	return metadata
		.withTables<AccessTables>()
		.selectFrom("sessions")
		.innerJoin("users", "users.id", "sessions.user_id")
		.where("sessions.id", "=", sessionId)
		.select((query) => [
			"users.id as userId",
			"users.email",
			"users.role",
			"users.is_active as isActive",
			"sessions.revoked_at as revokedAt",
			query
				.exists(
					query
						.selectFrom("organization_members")
						.select("organization_members.user_id")
						.whereRef("organization_members.user_id", "=", "users.id")
						.where("organization_members.role", "=", "owner"),
				)
				.as("ownsOrganization"),
		])
		.executeTakeFirst();
}

/** An API key with its owner by the hash of its value, in one query; undefined when unknown. */
export function findKey(metadata: Metadata, tokenHash: string) {
	return metadata
		.withTables<AccessTables>()
		.selectFrom("api_tokens")
		.innerJoin("users", "users.id", "api_tokens.user_id")
		.where("api_tokens.token_hash", "=", tokenHash)
		.select([
			"api_tokens.id",
			"api_tokens.user_id as userId",
			"api_tokens.scopes",
			"api_tokens.site_ids as siteIds",
			"api_tokens.expires_at as expiresAt",
			"api_tokens.last_used_at as lastUsedAt",
			"api_tokens.revoked_at as revokedAt",
			"users.is_active as ownerIsActive",
		])
		.executeTakeFirst();
}

/** Notes when a key was last used. */
export async function touchKey(metadata: Metadata, tokenId: number, atMs: number): Promise<void> {
	await metadata
		.withTables<AccessTables>()
		.updateTable("api_tokens")
		.set({ last_used_at: atMs })
		.where("id", "=", tokenId)
		.execute();
}

/** True when the user owns an organization, a personal one included. */
export async function ownsOrganization(metadata: Metadata, userId: number): Promise<boolean> {
	const row = await metadata
		.withTables<AccessTables>()
		.selectFrom("organization_members")
		.select("user_id")
		.where("user_id", "=", userId)
		.where("role", "=", "owner")
		.limit(1)
		.executeTakeFirst();
	return row !== undefined;
}
