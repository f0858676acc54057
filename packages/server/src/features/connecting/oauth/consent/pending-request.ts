import { type BrowserSession, type Caller, reachableSitesOf } from "../../../../access/index.ts";
import { sha256Hex } from "../../../../platform/lib/crypto.ts";
import type { Metadata } from "../../../../platform/metadata/metadata.ts";
import { listSites } from "../../../tenancy/sites/index.ts";
import type { OAuthDeps } from "../deps.ts";
import { type OAuthScope, resourceOf, storedScopes } from "../protocol/parameters.ts";
import { type RequestRow, selectPendingRequest } from "../store.ts";

/** An app's request that waits for somebody's decision. */
export interface PendingRequest {
	readonly client: {
		/** The address of a document for an app that is described by one, else the id of a registration. */
		readonly clientId: string;
		/** Chosen by the author of the app. */
		readonly clientName: string;
		/** Where the answer will go. */
		readonly redirectUri: string;
	};
	readonly scopes: readonly OAuthScope[];
	/** Resource that the tokens will be bound to. */
	readonly resource: string | undefined;
	/** False when the tokens will do for the MCP server alone. */
	readonly opensApi: boolean;
	/** Milliseconds since the Unix epoch. */
	readonly expiresAt: number;
}

/** A site that an app can be allowed to read. */
export interface SiteChoice {
	readonly id: string;
	readonly name: string;
}

/** The form in which the id of a request is stored, and a session is bound to it. */
export const requestHash = (requestId: string): string => sha256Hex(requestId);

/** The request with this id; undefined when it is unknown, decided or older than half an hour. */
export async function findRequest(deps: OAuthDeps, requestId: string): Promise<PendingRequest | undefined> {
	const row = await selectPendingRequest(deps.metadata, requestHash(requestId), deps.clock.now());
	return row && pendingRequest(row, deps.rootUrl);
}

const pendingRequest = (row: RequestRow, rootUrl: string): PendingRequest => ({
	client: { clientId: row.client_id, clientName: row.client_name, redirectUri: row.redirect_uri },
	scopes: storedScopes(row.scopes),
	resource: row.audience === null ? undefined : resourceOf(row.audience, rootUrl),
	opensApi: row.audience !== "mcp",
	expiresAt: row.expires_at,
});

/** True for a session that may see and decide on a request: any, but one that was opened for another request. */
export const mayDecideOn = (requestId: string, caller: Caller): caller is BrowserSession =>
	caller.kind === "session" && (caller.boundRequest === null || caller.boundRequest === requestHash(requestId));

/** The active sites that a user can choose from, by name; `isOpenHere` tells those that the user's address may open. */
export async function sitesToChoose(
	deps: { readonly metadata: Metadata },
	userId: number,
	isOpenHere: (siteId: string) => boolean,
): Promise<SiteChoice[]> {
	const reach = await reachableSitesOf(deps.metadata, { userId });
	const ids = reach.map(({ id }) => id).filter(isOpenHere);
	const rows = await listSites(deps.metadata, { ids, includeInactive: false });
	return rows.map(({ id, name }) => ({ id, name })).sort((a, b) => a.name.localeCompare(b.name, "en"));
}
