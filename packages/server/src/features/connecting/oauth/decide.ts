import { type Caller, findSiteFor } from "../../../access/index.ts";
import { ApiError, fieldError } from "../../../platform/http/api-error.ts";
import { sha256Hex } from "../../../platform/lib/crypto.ts";
import { randomToken, uuid } from "../../../platform/lib/ids.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { type Actor, recordAudit } from "../../accounts/audit-log/index.ts";
import { touchClient } from "./clients-store.ts";
import type { OAuthDeps } from "./deps.ts";
import { insertCode, insertGrant } from "./grants-store.ts";
import { mayDecideOn, requestHash } from "./pending-request.ts";
import { withAnswer } from "./redirect-uri.ts";
import { type RequestRow, selectPendingRequest, updateDecided } from "./requests-store.ts";

/** What somebody decides on the request of an app. */
export interface Decision {
	readonly requestId: string;
	readonly decision: "approve" | "deny";
	/** The one site that the app may read; needed to approve. */
	readonly siteId: string | undefined;
	/** Who decides. */
	readonly caller: Caller;
	readonly actor: Actor;
	/** Throws when the address of whoever decides may not open the site: `request.refuseShutSite`. */
	readonly refuseShutSite: (siteId: string) => Promise<void>;
}

const CODE_LIFE_MS = 5 * 60_000;
const SLUG = /^[a-z0-9-]{1,64}$/;

/**
 * Decides on a request, once; answers where the browser goes with the outcome.
 * Throws `not_found` for a request that is unknown, decided or over, `validation_error` (`body.site_id`), and `forbidden` for a session that may not decide on it
 * or a site out of the user's reach.
 */
export async function decide(deps: OAuthDeps, given: Decision): Promise<string> {
	const now = deps.clock.now();
	const request = await selectPendingRequest(deps.metadata, requestHash(given.requestId), now);
	if (request === undefined) throw requestGone();
	if (!mayDecideOn(given.requestId, given.caller)) throw new ApiError("email_not_verified");
	const outcome = given.decision === "deny" ? await deny(deps, request) : await approve(deps, request, given);
	const state = request.state ?? undefined;
	return withAnswer(request.redirect_uri, { ...outcome, state, iss: deps.rootUrl });
}

const requestGone = () => new ApiError("not_found", { message: "The request is not open any more" });

async function deny(deps: OAuthDeps, request: RequestRow): Promise<Readonly<Record<string, string>>> {
	if (!(await updateDecided(deps.metadata, request.id_hash, deps.clock.now()))) throw requestGone();
	return { error: "access_denied", error_description: "The user denied the request" };
}

async function approve(deps: OAuthDeps, request: RequestRow, given: Decision): Promise<{ code: string }> {
	const siteId = await approvedSite(deps.metadata, given);
	const now = deps.clock.now();
	const code = `oac_${randomToken()}`;
	const grant = {
		id: uuid(),
		user_id: given.caller.userId,
		client_id: request.client_id,
		client_name: request.client_name,
		site_id: siteId,
		scopes: request.scopes,
		audience: request.audience,
		created_at: now,
		last_used_at: null,
		expires_at: now + CODE_LIFE_MS,
		revoked_at: null,
	};
	await deps.metadata.transaction().execute(async (trx) => {
		// First: of two decisions at once, the second finds the request decided.
		if (!(await updateDecided(trx, request.id_hash, now))) throw requestGone();
		await insertGrant(trx, grant);
		await insertCode(trx, {
			code_hash: sha256Hex(code),
			grant_id: grant.id,
			redirect_uri: request.redirect_uri,
			code_challenge: request.code_challenge,
			expires_at: now + CODE_LIFE_MS,
			used_at: null,
		});
		await touchClient(trx, request.client_id, now);
		const details = { client_id: grant.client_id, client_name: grant.client_name, scopes: grant.scopes };
		await recordAudit(trx, given.actor, { action: "oauth_grant.approved", resourceId: grant.id, siteId, details }, now);
	});
	return { code };
}

async function approvedSite(metadata: Metadata, { siteId, caller, refuseShutSite }: Decision): Promise<string> {
	if (siteId === undefined || siteId === "") throw fieldError("body.site_id", "is required", "missing");
	const site = SLUG.test(siteId) ? await findSiteFor(metadata, siteId, caller.userId) : undefined;
	if (site?.role === undefined) throw new ApiError("forbidden", { message: `Access denied to account: ${siteId}` });
	await refuseShutSite(site.id);
	return site.id;
}
