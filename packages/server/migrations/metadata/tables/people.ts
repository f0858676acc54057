import type { Generated } from "kysely";

/** Users, how they sign in, and their keys. */
export type PeopleTables = {
	users: {
		id: Generated<number>;
		/** Lower-case. */
		email: string;
		name: string;
		role: "superadmin" | "user";
		/** Argon2id in PHC form, which records its parameters; null = cannot sign in with a password. */
		password_hash: string | null;
		is_active: number;
		email_verified_at: number | null;
		two_factor_enabled_at: number | null;
		last_login_at: number | null;
		created_at: number;
		updated_at: number;
	};
	sessions: {
		id: string;
		user_id: number;
		/** SHA-256 of the refresh token that is valid now. */
		refresh_hash: string;
		/** JSON list of `{hash, at}`: tokens replaced a moment ago. */
		rotated_hashes: string;
		user_agent: string | null;
		ip_address: string | null;
		created_at: number;
		last_used_at: number;
		expires_at: number;
		revoked_at: number | null;
		/** The superadmin who acts as the user; null = the user's own session. */
		impersonator_id: number | null;
		/** The session that the superadmin comes from. */
		impersonator_session_id: string | null;
		/** SHA-256 of the secret that brings that session back. */
		return_hash: string | null;
		/** Hash of the request of an app that is all the session may decide on until its user's address is confirmed. */
		bound_request: string | null;
	};
	/** How each user wants the pages. */
	user_preferences: {
		user_id: number;
		/** JSON object; unset preferences are absent. */
		chosen: string;
		updated_at: number;
	};
	/** Changes of a user's address that wait for both addresses to confirm them. */
	address_changes: {
		user_id: number;
		/** Lower-case. */
		new_email: string;
		/** The session that asked, which goes on. */
		session_id: string;
		/** When the link that was mailed to the address of before was used; null = not yet. */
		current_confirmed_at: number | null;
		/** The same of the new address. */
		new_confirmed_at: number | null;
		expires_at: number;
		created_at: number;
	};
	/** By which the first superadmin gets in. */
	setup_links: {
		/** SHA-256. */
		token_hash: string;
		created_at: number;
	};
	login_failures: {
		id: Generated<number>;
		/** Keyed hash. */
		subject: string;
		failed_at: number;
	};
	one_time_tokens: {
		/** SHA-256. */
		token_hash: string;
		kind: string;
		subject: string;
		failures: number;
		expires_at: number;
		created_at: number;
	};
	two_factor: {
		user_id: number;
		sealed_secret: string;
		/** Until then a setup waits for its first code; null = it is over. */
		setup_ends_at: number | null;
		enabled_at: number | null;
		/** The last 30-second step whose code was used. */
		last_step: number;
		/** Wrong codes … */
		failures: number;
		/** … since then. */
		failures_since: number;
		backup_codes_at: number | null;
	};
	backup_codes: { user_id: number; code_hash: string };
	api_tokens: {
		id: Generated<number>;
		user_id: number;
		name: string;
		/** SHA-256 of the value. */
		token_hash: string;
		/** The first characters of the value, by which people tell their keys apart. */
		token_prefix: string;
		/** JSON list of scopes. */
		scopes: string;
		/** JSON list of site slugs; null = every site that the owner reaches. */
		site_ids: string | null;
		expires_at: number | null;
		last_used_at: number | null;
		revoked_at: number | null;
		created_at: number;
	};
};
