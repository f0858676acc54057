/** The columns that authorization reads; the tables belong to the slices under `features/accounts`. */
export type AccessTables = {
	users: { id: number; email: string; role: "superadmin" | "user"; is_active: number };
	sessions: { id: string; user_id: number; revoked_at: number | null };
	api_tokens: {
		id: number;
		user_id: number;
		token_hash: string;
		scopes: string;
		site_ids: string | null;
		expires_at: number | null;
		last_used_at: number | null;
		revoked_at: number | null;
	};
	organization_members: { organization_id: string; user_id: number; role: "owner" | "admin" | "member" };
	sites: {
		id: string;
		organization_id: string;
		name: string;
		timezone: string;
		currency: string;
		is_active: number;
		bot_threshold: number;
	};
	site_members: { site_id: string; user_id: number; role: "owner" | "admin" | "editor" | "viewer" };
};
