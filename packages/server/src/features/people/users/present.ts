import { timestamp, timestampOrNull } from "../../../platform/lib/timestamp.ts";
import type { UserRow } from "./store.ts";

/** A user on the wire; `siteIds` are the slugs in the user's reach. */
export const presentUser = (user: UserRow, siteIds: readonly string[]) => ({
	id: user.id,
	email: user.email,
	name: user.name,
	role: user.role,
	account_ids: [...siteIds],
	is_active: user.is_active === 1,
	email_verified_at: timestampOrNull(user.email_verified_at),
	last_login_at: timestampOrNull(user.last_login_at),
	created_at: timestamp(user.created_at),
	two_factor_enabled: user.two_factor_enabled_at !== null,
	two_factor_enabled_at: timestampOrNull(user.two_factor_enabled_at),
});
