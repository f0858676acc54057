/** The name of a plan; what it allows is told by the organizations. */
export type PlanTier = "free" | "growth" | "scale" | "enterprise";

/** What an OAuth token may be shown to: the REST API, or the MCP server. */
export type OAuthAudience = "api" | "mcp";

/** The columns that authorization reads; the tables belong to the slices under `features/people` and `features/tenancy`. */
export type AccessTables = {
	users: {
		id: number;
		email: string;
		role: "superadmin" | "user";
		is_active: number;
		email_verified_at: number | null;
	};
	sessions: {
		id: string;
		user_id: number;
		expires_at: number;
		revoked_at: number | null;
		impersonator_id: number | null;
		impersonator_session_id: string | null;
		bound_request: string | null;
	};
	one_time_tokens: { token_hash: string; kind: string; expires_at: number };
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
	oauth_grants: {
		id: string;
		user_id: number;
		client_id: string;
		site_id: string;
		scopes: string;
		audience: OAuthAudience | null;
		last_used_at: number | null;
		revoked_at: number | null;
	};
	oauth_tokens: { token_hash: string; kind: "access" | "refresh"; grant_id: string; expires_at: number };
	organizations: {
		id: string;
		slug: string;
		name: string;
		is_personal: number;
		is_active: number;
		plan_tier: PlanTier;
		created_at: number;
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
