import { tables } from "../../migrations/metadata/tables/index.ts";
import type { Metadata } from "../platform/metadata/metadata.ts";
import { planOfUser } from "./credential-store.ts";

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

/** Notes when a grant was last used. */
export async function touchGrant(metadata: Metadata, grantId: string, atMs: number): Promise<void> {
	await tables(metadata).updateTable("oauth_grants").set({ last_used_at: atMs }).where("id", "=", grantId).execute();
}
