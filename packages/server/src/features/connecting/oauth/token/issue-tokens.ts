import { findSiteFor, newOAuthToken } from "../../../../access/index.ts";
import { sha256Hex } from "../../../../platform/lib/crypto.ts";
import { DAY_MS } from "../../../../platform/lib/durations.ts";
import { randomToken } from "../../../../platform/lib/ids.ts";
import type { Metadata } from "../../../../platform/metadata/metadata.ts";
import { findUser } from "../../../people/users/index.ts";
import { OFFLINE, storedScopes } from "../protocol/parameters.ts";
import { type GrantRow, insertToken, updateGrantEnd } from "../store.ts";

/** True while the user who approved is active and still reaches the site. */
export async function isStillHeld(metadata: Metadata, grant: GrantRow): Promise<boolean> {
	const user = await findUser(metadata, grant.user_id);
	if (user?.is_active !== 1) return false;
	return (await findSiteFor(metadata, grant.site_id, grant.user_id))?.role !== undefined;
}

/** Seconds that an access token lives. */
export const ACCESS_SECONDS = 3600;
const ACCESS_MS = ACCESS_SECONDS * 1000;
const REFRESH_MS = 30 * DAY_MS;

/** Tokens for a code or a refresh token. */
export interface IssuedTokens {
	readonly accessToken: string;
	readonly refreshToken: string | undefined;
	/** Separated by spaces. */
	readonly scope: string;
}

/**
 * Gives out tokens for a grant, and lengthens it to the end of the last of them. Undefined when it is revoked: a revocation
 * that came first holds. Part of the transaction that uses up what the tokens are given for.
 */
export async function issueTokens(
	trx: Metadata,
	grant: { readonly id: string; readonly scopes: string },
	nowMs: number,
): Promise<IssuedTokens | undefined> {
	const hasRefresh = storedScopes(grant.scopes).includes(OFFLINE);
	const end = nowMs + (hasRefresh ? REFRESH_MS : ACCESS_MS);
	if (!(await updateGrantEnd(trx, grant.id, end))) return undefined;
	const accessToken = newOAuthToken();
	const access = { token_hash: sha256Hex(accessToken), kind: "access", expires_at: nowMs + ACCESS_MS } as const;
	await insertToken(trx, { ...access, grant_id: grant.id, used_at: null });
	if (!hasRefresh) return { accessToken, refreshToken: undefined, scope: grant.scopes };
	const refreshToken = `ort_${randomToken()}`;
	const refresh = { token_hash: sha256Hex(refreshToken), kind: "refresh", expires_at: end } as const;
	await insertToken(trx, { ...refresh, grant_id: grant.id, used_at: null });
	return { accessToken, refreshToken, scope: grant.scopes };
}
