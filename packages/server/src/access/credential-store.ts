import type { ExpressionBuilder } from "kysely";
import { type Tables, tables } from "../../migrations/metadata/tables/index.ts";
import type { Metadata } from "../platform/metadata/metadata.ts";

/** Plan of a user's organization: a named one before the personal one, then the oldest. */
export const planOfUser = (query: ExpressionBuilder<Tables, "users">) =>
	query
		.selectFrom("organization_members")
		.innerJoin("organizations", "organizations.id", "organization_members.organization_id")
		.select("organizations.plan_tier")
		.whereRef("organization_members.user_id", "=", "users.id")
		.where("organizations.is_active", "=", 1)
		.orderBy("organizations.is_personal")
		.orderBy("organizations.created_at")
		.orderBy("organizations.id")
		.limit(1)
		.as("plan");

/** A session with its user and with the superadmin who uses it, in one query; undefined when it does not exist. */
export function findSession(metadata: Metadata, sessionId: string) {
	return tables(metadata)
		.selectFrom("sessions")
		.innerJoin("users", "users.id", "sessions.user_id")
		.leftJoin("users as impersonators", "impersonators.id", "sessions.impersonator_id")
		.leftJoin("sessions as own_sessions", "own_sessions.id", "sessions.impersonator_session_id")
		.where("sessions.id", "=", sessionId)
		.select((query) => [
			"users.id as userId",
			"users.email",
			"users.role",
			"users.is_active as isActive",
			"users.email_verified_at as emailVerifiedAt",
			"sessions.bound_request as boundRequest",
			"sessions.expires_at as expiresAt",
			"sessions.revoked_at as revokedAt",
			"sessions.impersonator_id as impersonatorId",
			"impersonators.role as impersonatorRole",
			"impersonators.is_active as impersonatorIsActive",
			"own_sessions.id as ownSessionId",
			"own_sessions.revoked_at as ownSessionRevokedAt",
			query
				.exists(
					query
						.selectFrom("organization_members")
						.innerJoin("organizations", "organizations.id", "organization_members.organization_id")
						.select("organization_members.user_id")
						.whereRef("organization_members.user_id", "=", "users.id")
						.where("organization_members.role", "=", "owner")
						.where("organizations.is_active", "=", 1),
				)
				.as("ownsOrganization"),
			planOfUser(query),
		])
		.executeTakeFirst();
}

/** An API key with its owner by the hash of its value, in one query; undefined when unknown. */
export function findKey(metadata: Metadata, tokenHash: string) {
	return tables(metadata)
		.selectFrom("api_tokens")
		.innerJoin("users", "users.id", "api_tokens.user_id")
		.where("api_tokens.token_hash", "=", tokenHash)
		.select((query) => [
			"api_tokens.id",
			"api_tokens.user_id as userId",
			"api_tokens.scopes",
			"api_tokens.site_ids as siteIds",
			"api_tokens.expires_at as expiresAt",
			"api_tokens.last_used_at as lastUsedAt",
			"api_tokens.revoked_at as revokedAt",
			"users.is_active as ownerIsActive",
			planOfUser(query),
		])
		.executeTakeFirst();
}

/** Notes when a key was last used. */
export async function touchKey(metadata: Metadata, tokenId: number, atMs: number): Promise<void> {
	await tables(metadata).updateTable("api_tokens").set({ last_used_at: atMs }).where("id", "=", tokenId).execute();
}

/** True when the user owns an organization that exists, a personal one included. */
export async function ownsOrganization(metadata: Metadata, userId: number): Promise<boolean> {
	const row = await tables(metadata)
		.selectFrom("organization_members")
		.innerJoin("organizations", "organizations.id", "organization_members.organization_id")
		.select("organization_members.user_id")
		.where("organization_members.user_id", "=", userId)
		.where("organization_members.role", "=", "owner")
		.where("organizations.is_active", "=", 1)
		.limit(1)
		.executeTakeFirst();
	return row !== undefined;
}

/** True while a value is the open question for a second factor. */
export async function isSignInChallenge(metadata: Metadata, tokenHash: string, nowMs: number): Promise<boolean> {
	const row = await tables(metadata)
		.selectFrom("one_time_tokens")
		.select("kind")
		.where("token_hash", "=", tokenHash)
		.where("kind", "=", "sign_in_challenge")
		.where("expires_at", ">", nowMs)
		.executeTakeFirst();
	return row !== undefined;
}
