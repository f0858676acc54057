import type { ExpressionBuilder } from "kysely";
import { type Tables, tables } from "../../migrations/metadata/tables/index.ts";
import { tableOf } from "../../migrations/metadata/tables/table-of.ts";
import type { Metadata } from "../platform/metadata/metadata.ts";

/** Plan of a user's organization: a named one before the personal one, then the oldest. */
const planOfUser = (query: ExpressionBuilder<Tables, "users">) =>
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

export const apiTokens = tableOf("api_tokens");
export const oauthGrants = tableOf("oauth_grants");
export const oneTimeTokens = tableOf("one_time_tokens");

/** An OAuth access token with its grant and the user who approved it, in one query; undefined when unknown. */
export function findAccessToken(metadata: Metadata, tokenHash: string) {
	return tables(metadata)
		.selectFrom("oauth_tokens")
		.innerJoin("oauth_grants", "oauth_grants.id", "oauth_tokens.grant_id")
		.innerJoin("users", "users.id", "oauth_grants.user_id")
		.where("oauth_tokens.token_hash", "=", tokenHash)
		.where("oauth_tokens.kind", "=", "access")
		.select((query) => [
			"users.id as userId",
			"users.is_active as isActive",
			"oauth_grants.id as grantId",
			"oauth_grants.client_id as clientId",
			"oauth_grants.site_id as siteId",
			"oauth_grants.scopes",
			"oauth_grants.audience",
			"oauth_grants.last_used_at as lastUsedAt",
			"oauth_grants.revoked_at as revokedAt",
			"oauth_tokens.expires_at as expiresAt",
			planOfUser(query),
		])
		.executeTakeFirst();
}

/** A shared link that is switched on, with its site, in one query; undefined when either is gone or off. Whether it has expired is left to the caller. */
export function findOpenLink(metadata: Metadata, linkId: string) {
	return tables(metadata)
		.selectFrom("share_links")
		.innerJoin("sites", "sites.id", "share_links.site_id")
		.innerJoin("organizations", "organizations.id", "sites.organization_id")
		.where("share_links.id", "=", linkId)
		.where("share_links.is_active", "=", 1)
		.where("sites.is_active", "=", 1)
		.where("organizations.is_active", "=", 1)
		.select([
			"share_links.generation",
			"share_links.segment_id as segmentId",
			"share_links.lists",
			"share_links.may_filter as mayFilter",
			"share_links.expires_at as expiresAt",
			"sites.id as siteId",
			"sites.organization_id as organizationId",
			"organizations.plan_tier as planTier",
			"sites.name",
			"sites.timezone",
			"sites.currency",
			"sites.bot_threshold as botThreshold",
		])
		.executeTakeFirst();
}
