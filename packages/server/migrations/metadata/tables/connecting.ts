import type { Generated } from "kysely";

/** OAuth apps and grants, and questions to the assistant. */
export type ConnectingTables = {
	/** Apps that registered themselves; those with a document are not stored. */
	oauth_clients: {
		id: string;
		name: string;
		/** JSON list. */
		redirect_uris: string;
		created_at: number;
		/** When somebody last approved the app. */
		last_used_at: number | null;
	};
	/** Requests of apps that wait for a decision. */
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
		/** The audience of the requested tokens; null = none. */
		audience: "api" | "mcp" | null;
		created_at: number;
		expires_at: number;
		decided_at: number | null;
	};
	/** Grants of users to apps. */
	oauth_grants: {
		id: string;
		user_id: number;
		client_id: string;
		/** The name that the user saw. */
		client_name: string;
		site_id: string;
		/** Separated by spaces. */
		scopes: string;
		/** The audience of the tokens; null = any. */
		audience: "api" | "mcp" | null;
		created_at: number;
		last_used_at: number | null;
		/** When the last secret of the grant ends. */
		expires_at: number;
		revoked_at: number | null;
	};
	oauth_codes: {
		/** SHA-256. */
		code_hash: string;
		grant_id: string;
		redirect_uri: string;
		code_challenge: string;
		expires_at: number;
		used_at: number | null;
	};
	oauth_tokens: {
		/** SHA-256. */
		token_hash: string;
		kind: "access" | "refresh";
		grant_id: string;
		expires_at: number;
		/** When a refresh token was exchanged for the next one. */
		used_at: number | null;
	};
	/** Conversations with the assistant: of one user about one site. */
	assistant_conversations: {
		/** UUID. */
		id: string;
		site_id: string;
		user_id: number;
		/** The beginning of the first question. */
		title: string;
		created_at: number;
		/** When it was last answered. */
		updated_at: number;
	};
	assistant_messages: {
		id: Generated<number>;
		conversation_id: string;
		role: "user" | "assistant";
		content: string;
		/** JSON: charts, tables and tools of an answer; null for a question. */
		results: string | null;
		created_at: number;
	};
	/** Questions of a site in a month. */
	assistant_usage: {
		site_id: string;
		/** The month in the site's time zone, as `2026-11`. */
		month: string;
		questions: number;
		/** Questions beyond the usual number, given by the operator. */
		bonus: number;
	};
};
