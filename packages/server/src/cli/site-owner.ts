import { listUsers, type UserRow } from "../features/people/users/index.ts";
import { ConfigError } from "../platform/config/config.ts";
import type { Metadata } from "../platform/metadata/metadata.ts";
import { userByEmail } from "./users.ts";

/** The user with this address, or the first superadmin without one; throws `user_not_found` and `ConfigError`. */
export async function siteOwner(metadata: Metadata, email?: string): Promise<UserRow> {
	if (email !== undefined) return userByEmail(metadata, email);
	const users = await listUsers(metadata);
	const first = users.find(({ role, is_active: isActive }) => role === "superadmin" && isActive === 1);
	if (first === undefined) throw new ConfigError("There is no superadmin yet: create one with `footfall users create`");
	return first;
}
