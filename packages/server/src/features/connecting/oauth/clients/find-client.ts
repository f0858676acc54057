import type { Metadata } from "../../../../platform/metadata/metadata.ts";
import { OAuthError } from "../protocol/oauth-error.ts";
import { selectClient } from "../store.ts";
import type { OAuthClient } from "./client.ts";
import { type ClientDocuments, isDocumentAddress } from "./client-documents.ts";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The app with this id: a registered one, or the one that the document at this address describes. Throws `invalid_client`. */
export async function findClient(
	deps: { readonly metadata: Metadata; readonly documents: ClientDocuments },
	clientId: string,
): Promise<OAuthClient> {
	if (isDocumentAddress(clientId)) return deps.documents(clientId);
	const row = UUID.test(clientId) ? await selectClient(deps.metadata, clientId) : undefined;
	if (row === undefined) throw unknownClient();
	return { id: row.id, name: row.name, redirectUris: JSON.parse(row.redirect_uris) as string[] };
}

/** Refuses the id of an app that cannot exist here; a document need not be fetched again for that. Throws `invalid_client`. */
export async function checkClientExists(metadata: Metadata, clientId: string): Promise<void> {
	if (isDocumentAddress(clientId)) return;
	if (!UUID.test(clientId) || (await selectClient(metadata, clientId)) === undefined) throw unknownClient();
}

const unknownClient = () => new OAuthError("invalid_client", "The client is not known");
