import { type Static, Type } from "typebox";
import { findSiteFor, newOAuthToken } from "../../../../access/index.ts";
import { equalConstantTime, s256, sha256Hex } from "../../../../platform/lib/crypto.ts";
import { DAY_MS } from "../../../../platform/lib/durations.ts";
import { randomToken } from "../../../../platform/lib/ids.ts";
import type { Metadata } from "../../../../platform/metadata/metadata.ts";
import { userActor } from "../../../auditing/audit-log/index.ts";
import { findUser } from "../../../people/users/index.ts";
import { checkClientExists } from "../clients/find-client.ts";
import type { OAuthDeps } from "../deps.ts";
import { type EndReason, endGrantWithin, endLostGrant } from "../grants/end-grant.ts";
import {
	checkSameResource,
	OAuthError,
	OFFLINE,
	type Parameters,
	parseScopes,
	required,
	storedScopes,
} from "../protocol/parameters.ts";
import { codes, type GrantRow, grants, tokens } from "../store.ts";

async function isStillHeld(metadata: Metadata, grant: GrantRow): Promise<boolean> {
	const user = await findUser(metadata, grant.user_id);
	if (user?.is_active !== 1) return false;
	return (await findSiteFor(metadata, grant.site_id, grant.user_id))?.role !== undefined;
}

const ACCESS_SECONDS = 3600;
const ACCESS_MS = ACCESS_SECONDS * 1000;
const REFRESH_MS = 30 * DAY_MS;

export const IssuedTokens = Type.Object({
	access_token: Type.String(),
	token_type: Type.Literal("Bearer"),
	expires_in: Type.Integer({ description: "Seconds" }),
	refresh_token: Type.Optional(Type.String({ description: "Only with `offline_access`" })),
	scope: Type.String(),
});
export type IssuedTokens = Static<typeof IssuedTokens>;

/**
 * Gives out tokens for a grant, and lengthens it to the end of the last of them. Undefined when it is revoked: a revocation
 * that came first holds. Part of the transaction that uses up what the tokens are given for.
 */
async function issueTokens(
	trx: Metadata,
	grant: { readonly id: string; readonly scopes: string },
	nowMs: number,
): Promise<IssuedTokens | undefined> {
	const hasRefresh = storedScopes(grant.scopes).includes(OFFLINE);
	const end = nowMs + (hasRefresh ? REFRESH_MS : ACCESS_MS);
	const held = await grants.update(trx, { id: grant.id, revoked_at: null }, { expires_at: end });
	if (held === undefined) return undefined;
	const insert = (token: string, kind: "access" | "refresh", expiresAt: number) =>
		tokens.insert(trx, { token_hash: sha256Hex(token), kind, expires_at: expiresAt, grant_id: grant.id });
	const accessToken = newOAuthToken();
	await insert(accessToken, "access", nowMs + ACCESS_MS);
	const issued = { access_token: accessToken, token_type: "Bearer", expires_in: ACCESS_SECONDS } as const;
	if (!hasRefresh) return { ...issued, scope: grant.scopes };
	const refreshToken = `ort_${randomToken()}`;
	await insert(refreshToken, "refresh", end);
	return { ...issued, refresh_token: refreshToken, scope: grant.scopes };
}

interface CredentialRow {
	readonly grant_id: string;
	readonly used_at: number | null;
	readonly expires_at: number;
}

/** A code or a refresh token of a request, which gives tokens once. */
interface Redemption<Row extends CredentialRow> {
	readonly text: string;
	readonly clientId: string;
	readonly ip: string;
	readonly find: (metadata: Metadata, hash: string) => Promise<Row | undefined>;
	/** One rule each, checked in this order on an unexpired credential; one that fails stays as it was. */
	readonly checks: readonly ((row: Row, grant: GrantRow) => void)[];
	/** Marks it as used; undefined when it is already. */
	readonly useUp: (trx: Metadata, hash: string, nowMs: number) => Promise<Row | undefined>;
	/** Of a second use, which ends the grant: the credential may be stolen. */
	readonly reuse: { readonly reason: EndReason; readonly graceMs?: number };
	/** One for every reason, so that guessing reveals nothing. */
	readonly invalid: () => OAuthError;
}

/** Gives tokens for a code or a refresh token. Throws `OAuthError`. */
async function redeem<Row extends CredentialRow>(deps: OAuthDeps, asked: Redemption<Row>): Promise<IssuedTokens> {
	const { metadata } = deps;
	const { invalid } = asked;
	const nowMs = deps.clock.now();
	const hash = sha256Hex(asked.text);
	await checkClientExists(metadata, asked.clientId);
	const row = await asked.find(metadata, hash);
	const grant = row && (await grants.find(metadata, { id: row.grant_id }));
	if (row === undefined || grant === undefined || grant.client_id !== asked.clientId) throw invalid();
	const refuseReuse = async (usedAt: number): Promise<never> => {
		const { reason, graceMs = Number.NEGATIVE_INFINITY } = asked.reuse;
		const ended = { grantId: grant.id, actor: userActor(grant.user_id, asked.ip), reason, nowMs: deps.clock.now() };
		if (nowMs - usedAt > graceMs) await metadata.transaction().execute((trx) => endGrantWithin(trx, ended));
		throw invalid();
	};
	if (row.used_at !== null) return refuseReuse(row.used_at);
	if (row.expires_at <= nowMs) throw invalid();
	for (const check of asked.checks) check(row, grant);
	if (!(await isStillHeld(metadata, grant))) {
		await endLostGrant(deps, grant.id);
		throw invalid();
	}
	const issued = await metadata.transaction().execute(async (trx) => {
		// First: of two requests at once, the second finds the credential used.
		if ((await asked.useUp(trx, hash, nowMs)) === undefined) return undefined;
		const tokens = await issueTokens(trx, grant, nowMs);
		if (tokens === undefined) throw invalid();
		return tokens;
	});
	return issued ?? refuseReuse(nowMs);
}

/** 43 to 128 characters (RFC 7636, 4.1). */
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;

const invalidCode = () => new OAuthError("invalid_grant", "The code is not valid for this request");

/**
 * Exchanges an authorization code for tokens, once (RFC 6749, 4.1.3). A code that comes again ends the grant (OAuth 2.1,
 * 4.1.3). Throws `OAuthError`.
 */
export async function exchangeCode(deps: OAuthDeps, parameters: Parameters, ip: string): Promise<IssuedTokens> {
	const text = required(parameters, "code");
	const clientId = required(parameters, "client_id");
	const redirectUri = required(parameters, "redirect_uri");
	const verifier = required(parameters, "code_verifier");
	return redeem(deps, {
		text,
		clientId,
		ip,
		find: (metadata, hash) => codes.find(metadata, { code_hash: hash }),
		checks: [
			(code) => {
				if (redirectUri !== code.redirect_uri) throw invalidCode();
			},
			// RFC 7636, 4.6: the client is the one that began the request.
			(code) => {
				if (!VERIFIER.test(verifier) || !equalConstantTime(s256(verifier), code.code_challenge)) throw invalidCode();
			},
			(_, grant) => checkSameResource(parameters, grant.audience, deps.rootUrl),
		],
		useUp: (trx, hash, nowMs) => codes.update(trx, { code_hash: hash, used_at: null }, { used_at: nowMs }),
		reuse: { reason: "an authorization code was used again" },
		invalid: invalidCode,
	});
}

/** An app may send the same token twice at once, to any process of the service; a later replay means that it was stolen. */
const REPLAY_GRACE_MS = 10_000;

const invalidToken = () => new OAuthError("invalid_grant", "The refresh token is not valid");

/**
 * Exchanges a refresh token for the next one and an access token, once (RFC 6749, 6). One that comes again within ten seconds
 * is only refused, later it ends the grant. Throws `OAuthError`.
 */
export async function refreshGrant(deps: OAuthDeps, parameters: Parameters, ip: string): Promise<IssuedTokens> {
	const text = required(parameters, "refresh_token");
	const clientId = required(parameters, "client_id");
	return redeem(deps, {
		text,
		clientId,
		ip,
		find: (metadata, hash) => tokens.find(metadata, { token_hash: hash, kind: "refresh" }),
		checks: [
			(_, grant) => {
				if (grant.revoked_at !== null) throw invalidToken();
			},
			(_, grant) => checkNoMoreScopes(parameters, grant),
			(_, grant) => checkSameResource(parameters, grant.audience, deps.rootUrl),
		],
		useUp: (trx, hash, nowMs) => tokens.update(trx, { token_hash: hash, used_at: null }, { used_at: nowMs }),
		reuse: { reason: "a refresh token was used again", graceMs: REPLAY_GRACE_MS },
		invalid: invalidToken,
	});
}

/** RFC 6749, 6: no scope that was not approved. */
function checkNoMoreScopes(parameters: Parameters, grant: GrantRow): void {
	const approved: readonly string[] = storedScopes(grant.scopes);
	const asked = parseScopes(parameters.get("scope"));
	if (asked?.every((scope) => approved.includes(scope))) return;
	throw new OAuthError("invalid_scope", "scope has more than was approved");
}
