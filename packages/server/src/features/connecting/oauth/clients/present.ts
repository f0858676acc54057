import { timestamp, timestampOrNull } from "../../../../platform/lib/timestamp.ts";
import type { Onboarded } from "../consent/onboard.ts";
import type { PendingRequest, SiteChoice } from "../consent/pending-request.ts";
import type { GrantRow } from "../grants/grants-store.ts";
import { storedScopes } from "../protocol/scopes.ts";
import { ACCESS_SECONDS, type IssuedTokens } from "../token/issue-tokens.ts";
import { redirectHost } from "./redirect-uri.ts";
import type { RegisteredClient } from "./register-client.ts";

/** A registration (RFC 7591, 3.2.1). */
export const presentClient = (client: RegisteredClient) => ({
	client_id: client.id,
	client_id_issued_at: Math.floor(client.issuedAt / 1000),
	client_name: client.name,
	redirect_uris: [...client.redirectUris],
	token_endpoint_auth_method: "none" as const,
	grant_types: ["authorization_code", "refresh_token"],
	response_types: ["code"],
});

/** Tokens (RFC 6749, 5.1). */
export const presentTokens = ({ accessToken, refreshToken, scope }: IssuedTokens) => ({
	access_token: accessToken,
	token_type: "Bearer" as const,
	expires_in: ACCESS_SECONDS,
	...(refreshToken === undefined ? {} : { refresh_token: refreshToken }),
	scope,
});

/** A pending request, for the user who decides on it. */
export const presentRequest = (
	requestId: string,
	pending: PendingRequest,
	viewer: { readonly user: { id: number; email: string } | null; readonly sites: readonly SiteChoice[] },
) => ({
	request_id: requestId,
	client: {
		client_id: pending.client.clientId,
		client_name: pending.client.clientName,
		redirect_host: redirectHost(pending.client.redirectUri),
	},
	scopes: [...pending.scopes],
	resource: pending.resource ?? null,
	expires_at: timestamp(pending.expiresAt),
	user: viewer.user,
	sites: [...viewer.sites],
});

/** Fields that signing up for an app adds to the answer of a registration. */
export const presentOnboarded = ({ userId, session }: Onboarded) =>
	session === undefined
		? {}
		: {
				user_id: userId,
				session_created: true,
				message: "You are signed in for this request. Confirm your address with the link in the email",
			};

/** An app that may read a site. */
export const presentConnection = (grant: GrantRow) => ({
	grant_id: grant.id,
	client_id: grant.client_id,
	client_name: grant.client_name,
	site_id: grant.site_id,
	scopes: storedScopes(grant.scopes),
	created_at: timestamp(grant.created_at),
	last_used_at: timestampOrNull(grant.last_used_at),
});
