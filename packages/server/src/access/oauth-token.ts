import { ServiceError } from "../platform/errors/service-error.ts";
import type { Clock } from "../platform/lib/clock.ts";
import { sha256Hex } from "../platform/lib/crypto.ts";
import { MINUTE_MS } from "../platform/lib/durations.ts";
import { randomToken } from "../platform/lib/ids.ts";
import type { Metadata } from "../platform/metadata/metadata.ts";
import { findAccessToken, touchGrant } from "./credential-store.ts";
import type { OAuthAudience, Principal } from "./principal.ts";
import { findSiteFor } from "./site-store.ts";

const FORM = /^oat_[A-Za-z0-9_-]{43}$/;

/** Dependencies of the check of OAuth tokens. */
export interface OAuthTokenDeps {
	readonly metadata: Metadata;
	readonly clock: Clock;
	/** Ends a grant whose user was deactivated or no longer reaches the site. */
	readonly endLostGrant: (grantId: string) => Promise<void>;
}

/** A new OAuth access token: a random value whose form tells it from every other credential. */
export const newOAuthToken = (): string => `oat_${randomToken()}`;

/** True for a bearer value that has the form of an OAuth access token. */
export const isOAuthToken = (token: string): boolean => FORM.test(token);

/**
 * The app that presents an OAuth access token, with the rights its grant still has. Throws `token_invalid` for a token
 * that is unknown, revoked, for another audience, or whose user lost the site, and `token_expired`.
 */
export async function authenticateOAuth(
	deps: OAuthTokenDeps,
	token: string,
	audience: OAuthAudience,
): Promise<Extract<Principal, { kind: "oauth" }>> {
	const { metadata } = deps;
	const found = await findAccessToken(metadata, sha256Hex(token));
	if (found === undefined || found.revokedAt !== null) throw new ServiceError("token_invalid");
	const now = deps.clock.now();
	if (found.expiresAt <= now) throw new ServiceError("token_expired");
	if (found.audience !== null && found.audience !== audience) throw new ServiceError("token_invalid");
	const { userId, grantId, clientId, siteId, plan } = found;
	const site = found.isActive === 1 ? await findSiteFor(metadata, siteId, userId) : undefined;
	if (site?.role === undefined) {
		await deps.endLostGrant(grantId);
		throw new ServiceError("token_invalid");
	}
	const minute = now - (now % MINUTE_MS);
	// A full disk must not keep an app from reading, so a failed note of the use is let go.
	if (found.lastUsedAt !== minute) await touchGrant(metadata, grantId, minute).catch(() => undefined);
	const scopes = found.scopes.split(" ");
	const endsAt = found.expiresAt;
	return { kind: "oauth", userId, grantId, clientId, siteId, siteIds: [siteId], scopes, plan, endsAt };
}
