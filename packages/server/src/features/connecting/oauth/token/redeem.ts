import { sha256Hex } from "../../../../platform/lib/crypto.ts";
import type { Metadata } from "../../../../platform/metadata/metadata.ts";
import { userActor } from "../../../auditing/audit-log/index.ts";
import { checkClientExists } from "../clients/find-client.ts";
import type { OAuthDeps } from "../deps.ts";
import { type EndReason, endGrantWithin, endLostGrant } from "../grants/end-grant.ts";
import type { OAuthError } from "../protocol/oauth-error.ts";
import { type GrantRow, selectGrant } from "../store.ts";
import { type IssuedTokens, isStillHeld, issueTokens } from "./issue-tokens.ts";

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
	readonly select: (metadata: Metadata, hash: string) => Promise<Row | undefined>;
	/** One rule each, checked in this order on an unexpired credential; one that fails stays as it was. */
	readonly checks: readonly ((row: Row, grant: GrantRow) => void)[];
	/** Marks it as used; false when it is already. */
	readonly useUp: (trx: Metadata, hash: string, nowMs: number) => Promise<boolean>;
	/** Of a second use, which ends the grant: the credential may be stolen. */
	readonly reuse: { readonly reason: EndReason; readonly graceMs?: number };
	/** One for every reason, so that guessing reveals nothing. */
	readonly invalid: () => OAuthError;
}

/** Gives tokens for a code or a refresh token. Throws `OAuthError`. */
export async function redeem<Row extends CredentialRow>(
	deps: OAuthDeps,
	asked: Redemption<Row>,
): Promise<IssuedTokens> {
	const { metadata } = deps;
	const { invalid } = asked;
	const nowMs = deps.clock.now();
	const hash = sha256Hex(asked.text);
	await checkClientExists(metadata, asked.clientId);
	const row = await asked.select(metadata, hash);
	const grant = row && (await selectGrant(metadata, row.grant_id));
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
		if (!(await asked.useUp(trx, hash, nowMs))) return undefined;
		const tokens = await issueTokens(trx, grant, nowMs);
		if (tokens === undefined) throw invalid();
		return tokens;
	});
	return issued ?? refuseReuse(nowMs);
}
