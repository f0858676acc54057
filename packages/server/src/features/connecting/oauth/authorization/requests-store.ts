import type { Selectable } from "kysely";
import type { OAuthAudience } from "../../../../access/index.ts";
import type { Metadata } from "../../../../platform/metadata/metadata.ts";

type RequestTables = {
	/** Requests of apps that wait for a decision. Times in milliseconds. */
	oauth_requests: {
		/** SHA-256 of the id, which is a secret. */
		id_hash: string;
		client_id: string;
		/** The name as it was when the app asked. */
		client_name: string;
		redirect_uri: string;
		/** Separated by spaces. */
		scopes: string;
		state: string | null;
		code_challenge: string;
		/** What the tokens are to be bound to; null = nothing. */
		audience: OAuthAudience | null;
		created_at: number;
		expires_at: number;
		decided_at: number | null;
	};
};

/** A request as stored. */
export type RequestRow = Selectable<RequestTables["oauth_requests"]>;

const tables = (metadata: Metadata) => metadata.withTables<RequestTables>();

export async function insertRequest(metadata: Metadata, row: RequestRow): Promise<void> {
	await tables(metadata).insertInto("oauth_requests").values(row).execute();
}

/** A request that waits for a decision still. */
export const selectPendingRequest = (
	metadata: Metadata,
	idHash: string,
	nowMs: number,
): Promise<RequestRow | undefined> =>
	tables(metadata)
		.selectFrom("oauth_requests")
		.selectAll()
		.where("id_hash", "=", idHash)
		.where("decided_at", "is", null)
		.where("expires_at", ">", nowMs)
		.executeTakeFirst();

/** Decides on a request; false when somebody did so before, or its time is over. */
export async function updateDecided(metadata: Metadata, idHash: string, nowMs: number): Promise<boolean> {
	const decided = await tables(metadata)
		.updateTable("oauth_requests")
		.set({ decided_at: nowMs })
		.where("id_hash", "=", idHash)
		.where("decided_at", "is", null)
		.where("expires_at", ">", nowMs)
		.returning("id_hash")
		.execute();
	return decided.length === 1;
}

/** Forgets requests whose time was over at a moment. */
export async function deleteOldRequests(metadata: Metadata, endedBefore: number): Promise<void> {
	await tables(metadata).deleteFrom("oauth_requests").where("expires_at", "<=", endedBefore).execute();
}
