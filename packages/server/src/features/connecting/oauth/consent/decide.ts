import {
	type BrowserSession,
	type Caller,
	findSiteFor,
	type RequestSite,
	reachableSitesOf,
} from "../../../../access/index.ts";
import { fieldError, ServiceError } from "../../../../platform/errors/service-error.ts";
import { sha256Hex } from "../../../../platform/lib/crypto.ts";
import { MINUTE_MS } from "../../../../platform/lib/durations.ts";
import { randomToken, uuid } from "../../../../platform/lib/ids.ts";
import type { Metadata } from "../../../../platform/metadata/metadata.ts";
import type { Mail } from "../../../../platform/outbound/mail/mailer.ts";
import { actorOf, recordAudit } from "../../../auditing/audit-log/index.ts";
import { holdSession } from "../../../people/auth/index.ts";
import { listSites } from "../../../tenancy/sites/index.ts";
import { redirectHost, withAnswer } from "../clients/client.ts";
import type { OAuthDeps } from "../deps.ts";
import { OFFLINE, resourceOf, storedScopes } from "../protocol/parameters.ts";
import { clients, codes, grants, pending, type RequestRow, requests } from "../store.ts";

/** The form in which the id of a request is stored, and a session is bound to it. */
export const requestHash = (requestId: string): string => sha256Hex(requestId);

/** The request of an app with this id; undefined when it is unknown, decided or older than half an hour. */
export async function findRequest(deps: OAuthDeps, requestId: string): Promise<PendingRequest | undefined> {
	const row = await requests.find(deps.metadata, pending(requestHash(requestId), deps.clock.now()));
	return row && pendingRequest(row, deps.rootUrl);
}

const pendingRequest = (row: RequestRow, rootUrl: string) => ({
	client: {
		/** The address of a document for an app that is described by one, else the id of a registration. */
		clientId: row.client_id,
		clientName: row.client_name,
		redirectUri: row.redirect_uri,
	},
	scopes: storedScopes(row.scopes),
	/** Resource that the tokens will be bound to. */
	resource: row.audience === null ? null : resourceOf(row.audience, rootUrl),
	/** False when the tokens will do for the MCP server alone. */
	opensApi: row.audience !== "mcp",
	expiresAt: row.expires_at,
});

export type PendingRequest = ReturnType<typeof pendingRequest>;

/** True for a session that may see and decide on a request: any, but one that was opened for another request. */
export const mayDecideOn = (requestId: string, caller: Caller): caller is BrowserSession =>
	caller.kind === "session" && (caller.boundRequest === null || caller.boundRequest === requestHash(requestId));

/** The request of the browser in which somebody decides. */
type BrowserRequest = Parameters<typeof actorOf>[0] & {
	isSiteOpenHere(siteId: string): boolean;
	/** Throws when the address of the request may not open the site. */
	refuseShutSite(siteId: string): Promise<void>;
};

/** The active sites that a user can choose from and that may be opened from the address of the request, by name. */
export async function sitesToChoose(deps: Pick<OAuthDeps, "metadata">, userId: number, request: BrowserRequest) {
	const reach = await reachableSitesOf(deps.metadata, { userId });
	const ids = reach.map(({ id }) => id).filter((id) => request.isSiteOpenHere(id));
	const rows = await listSites(deps.metadata, { ids, includeInactive: false });
	return rows.map(({ id, name }) => ({ id, name })).sort((a, b) => a.name.localeCompare(b.name, "en"));
}

const moment = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });

/** Tells a user of an app that was let in, so that no approval is silent: neither their own nor one in their name. */
const approvalLines = (rootUrl: string, request: RequestRow, site: Site, at: number): string[] => [
	`You allowed the app “${request.client_name}” to read the site “${site.name}” (${site.id}) of your account with Footfall at ${rootUrl}.`,
	`The app chose its own name. Access was sent to: ${redirectHost(request.redirect_uri)}`,
	`Allowed on: ${moment.format(at)} UTC`,
	storedScopes(request.scopes).includes(OFFLINE)
		? "It has access until you disconnect it, or until it is unused for 30 days."
		: "It has access for an hour.",
];

/** The same for an unconfirmed address: nothing in it was written by the person who signed up, or by the app. */
const unconfirmedLines = (rootUrl: string): string[] => [
	`Someone who registered this address with Footfall at ${rootUrl} created a site and allowed an app to read it.`,
];

const approvalMail = (rootUrl: string, lines: readonly string[]): Omit<Mail, "to"> => ({
	subject: "An app has access to your site",
	body: [
		...lines,
		{ link: `${rootUrl}/docs#/Connections`, label: "Manage connections" },
		"If this wasn't you, choose a new password: this ends all sessions and the access of all apps.",
		{ link: `${rootUrl}/reset-password`, label: "Choose a new password" },
	],
});

type Site = Pick<RequestSite, "id" | "name">;

interface Decision {
	readonly requestId: string;
	readonly decision: "approve" | "deny";
	/** The one site that the app may read; needed to approve. */
	readonly siteId: string | undefined;
	readonly caller: Caller;
}

const CODE_LIFE_MS = 5 * MINUTE_MS;

/**
 * Decides on a request, once; answers where the browser goes with the outcome.
 * Throws `not_found` for a request that is unknown, decided or over, `validation_error` (`body.site_id`), and `forbidden` for a session that may not decide on it
 * or a site out of the user's reach.
 */
export async function decide(deps: OAuthDeps, from: BrowserRequest, given: Decision): Promise<string> {
	const now = deps.clock.now();
	const request = await requests.find(deps.metadata, pending(requestHash(given.requestId), now));
	if (request === undefined) throw requestGone();
	const { caller } = given;
	// A session that was opened for another request decides nothing here.
	if (!mayDecideOn(given.requestId, caller)) throw new ServiceError("email_not_verified");
	const isDenied = given.decision === "deny";
	const outcome = isDenied ? await deny(deps, request) : await approve(deps, request, from, { ...given, caller });
	const state = request.state ?? undefined;
	return withAnswer(request.redirect_uri, { ...outcome, state, iss: deps.rootUrl });
}

export const requestGone = () => new ServiceError("not_found", "The request has expired or was already answered");

/** Throws `not_found` when somebody decided before, or the time of the request is over. */
async function noteDecided(metadata: Metadata, { id_hash: hash }: RequestRow, now: number): Promise<void> {
	if ((await requests.update(metadata, pending(hash, now), { decided_at: now })) === undefined) throw requestGone();
}

async function deny(deps: OAuthDeps, request: RequestRow): Promise<Readonly<Record<string, string>>> {
	await noteDecided(deps.metadata, request, deps.clock.now());
	return { error: "access_denied", error_description: "The user denied the request" };
}

/** A decision of somebody who may decide. */
type OwnDecision = Decision & { readonly caller: BrowserSession };

async function approve(
	deps: OAuthDeps,
	request: RequestRow,
	from: BrowserRequest,
	given: OwnDecision,
): Promise<{ code: string }> {
	const { rootUrl } = deps;
	const site = await approvedSite(deps.metadata, from, given);
	const now = deps.clock.now();
	const code = `oac_${randomToken()}`;
	const grant = {
		id: uuid(),
		user_id: given.caller.userId,
		client_id: request.client_id,
		client_name: request.client_name,
		site_id: site.id,
		scopes: request.scopes,
		audience: request.audience,
		created_at: now,
		expires_at: now + CODE_LIFE_MS,
	};
	await deps.metadata.transaction().execute(async (trx) => {
		// First: of two decisions at once, the second finds the request decided.
		await noteDecided(trx, request, now);
		// A reset of the password at the same time ends the session first, or the grant after it.
		if (!(await holdSession(trx, given.caller.sessionId))) {
			throw new ServiceError("unauthorized", "Session has been revoked");
		}
		await grants.insert(trx, grant);
		await codes.insert(trx, {
			code_hash: sha256Hex(code),
			grant_id: grant.id,
			redirect_uri: request.redirect_uri,
			code_challenge: request.code_challenge,
			expires_at: now + CODE_LIFE_MS,
		});
		await clients.update(trx, { id: request.client_id }, { last_used_at: now });
		const details = { client_id: grant.client_id, client_name: grant.client_name, scopes: grant.scopes };
		const entry = { resourceId: grant.id, siteId: site.id, details };
		await recordAudit(trx, actorOf(from), { action: "oauth_grant.approved", ...entry }, now);
		const { boundRequest, email } = given.caller;
		const lines = boundRequest === null ? approvalLines(rootUrl, request, site, now) : unconfirmedLines(rootUrl);
		await deps.mailer.queue(trx, { ...approvalMail(rootUrl, lines), to: email });
	});
	return { code };
}

async function approvedSite(metadata: Metadata, from: BrowserRequest, { siteId, caller }: Decision): Promise<Site> {
	if (siteId === undefined || siteId === "") throw fieldError("body.site_id", "is required", "missing");
	const site = await findSiteFor(metadata, siteId, caller.userId);
	if (site?.role === undefined) throw new ServiceError("forbidden", `Access denied to account: ${siteId}`);
	await from.refuseShutSite(site.id);
	return site;
}
