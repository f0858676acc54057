import { isRecord, parseJson } from "../../../../platform/lib/is-record.ts";
import { LruMap } from "../../../../platform/lib/lru-map.ts";
import type { Metadata } from "../../../../platform/metadata/metadata.ts";
import { OutboundError } from "../../../../platform/outbound/outbound-error.ts";
import type { OAuthClientDeps } from "../deps.ts";
import { OAuthError } from "../protocol/parameters.ts";
import { clients } from "../store.ts";
import { clientName, type OAuthClient, redirectUriFault, redirectUriList } from "./client.ts";

const MAX_BYTES = 5 * 1024;
const TIMEOUT_MS = 5000;
const MAX_AGE_SECONDS = 86_400;
const REMEMBERED = 1000;

interface Remembered {
	readonly client: OAuthClient;
	readonly until: number;
}

/** Looks up apps whose id is the address of a document that describes them. Throws `invalid_client`. */
export type ClientDocuments = (url: string) => Promise<OAuthClient>;

/** True for an id that is the address of a document (draft-ietf-oauth-client-id-metadata-document, 3). */
export function isDocumentAddress(clientId: string): boolean {
	const url = clientId.startsWith("https://") ? URL.parse(clientId) : null;
	return url !== null && url.href === clientId && url.pathname !== "/" && url.hash === "" && !clientId.includes("#");
}

/** A look-up that keeps documents as long as their servers allow, a day at most. */
export function createClientDocuments(deps: OAuthClientDeps): ClientDocuments {
	const remembered = new LruMap<string, Remembered>(REMEMBERED);
	const asked = new Map<string, Promise<Remembered>>();
	return async (url) => {
		const known = remembered.get(url);
		if (known !== undefined && known.until > deps.clock.now()) return known.client;
		const asking = asked.get(url) ?? fetchDocument(deps, url).finally(() => asked.delete(url));
		asked.set(url, asking);
		const found = await asking;
		remembered.set(url, found);
		return found.client;
	};
}

async function fetchDocument(deps: OAuthClientDeps, url: string): Promise<Remembered> {
	const answer = await fetched(deps, url);
	if (answer.status !== 200) throw refused("was not answered with 200");
	const client = readDocument(url, answer.body);
	return { client, until: deps.clock.now() + 1000 * secondsToKeep(answer.headers["cache-control"]) };
}

async function fetched({ guardedFetch }: OAuthClientDeps, url: string) {
	const fault = guardedFetch.urlFault(url);
	if (fault !== undefined) throw refused(fault);
	try {
		const headers = { accept: "application/json" };
		return await guardedFetch.send({ url, headers, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES });
	} catch (error) {
		// One message for every failure, so that the answer reveals nothing about the internal network.
		if (error instanceof OutboundError && error.failure === "too_large") throw refused("is larger than 5 KB");
		if (error instanceof OutboundError) throw refused("could not be fetched");
		throw error;
	}
}

function readDocument(url: string, body: string): OAuthClient {
	const fields = parseJson(body);
	if (!isRecord(fields)) throw refused("is not a JSON object");
	if (fields.client_id !== url) throw refused("names another client_id than its own address");
	const method = fields.token_endpoint_auth_method;
	if ("client_secret" in fields || (method !== undefined && method !== "none"))
		throw refused("is not of a public client");
	const name = clientName(fields.client_name);
	if (name === undefined) throw refused("has a client_name that cannot be shown");
	const redirectUris = redirectUriList(fields.redirect_uris);
	if (redirectUris === undefined || redirectUris.some((uri) => redirectUriFault(uri) !== undefined)) {
		throw refused("has redirect_uris that cannot be used");
	}
	return { id: url, name, redirectUris };
}

/** `Cache-Control` (RFC 9111, 5.2.2): no longer than it says, never longer than a day, and not at all where it says nothing. */
function secondsToKeep(header: string | undefined): number {
	const directives = (header ?? "")
		.toLowerCase()
		.split(",")
		.map((part) => part.trim());
	if (directives.some((part) => part === "no-store" || part === "no-cache")) return 0;
	const age = directives.map((part) => /^(?:s-maxage|max-age)="?(\d{1,10})"?$/.exec(part)?.[1]).find(Boolean);
	return Math.min(Number(age ?? 0), MAX_AGE_SECONDS);
}

const refused = (fault: string) => new OAuthError("invalid_client", `The document at client_id ${fault}`);

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The app with this id: a registered one, or the one that the document at this address describes. Throws `invalid_client`. */
export async function findClient(
	deps: { readonly metadata: Metadata; readonly documents: ClientDocuments },
	clientId: string,
): Promise<OAuthClient> {
	return isDocumentAddress(clientId) ? deps.documents(clientId) : registeredClient(deps.metadata, clientId);
}

/** Refuses the id of an app that cannot exist here; a document need not be fetched again for that. Throws `invalid_client`. */
export async function checkClientExists(metadata: Metadata, clientId: string): Promise<void> {
	if (!isDocumentAddress(clientId)) await registeredClient(metadata, clientId);
}

async function registeredClient(metadata: Metadata, clientId: string): Promise<OAuthClient> {
	const row = UUID.test(clientId) ? await clients.find(metadata, { id: clientId }) : undefined;
	if (row === undefined) throw new OAuthError("invalid_client", "The client is not known");
	return { id: row.id, name: row.name, redirectUris: JSON.parse(row.redirect_uris) as string[] };
}
