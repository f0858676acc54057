import type { UserRow } from "./store.ts";

const timestamp = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

/** A user on the wire; `siteIds` are the slugs in the user's reach. */
export const presentUser = (user: UserRow, siteIds: readonly string[]) => ({
	id: user.id,
	email: user.email,
	name: user.name,
	role: user.role,
	account_ids: [...siteIds],
	is_active: user.is_active === 1,
	email_verified_at: timestamp(user.email_verified_at),
	last_login_at: timestamp(user.last_login_at),
	created_at: new Date(user.created_at).toISOString(),
	two_factor_enabled: user.two_factor_enabled_at !== null,
	two_factor_enabled_at: timestamp(user.two_factor_enabled_at),
});
