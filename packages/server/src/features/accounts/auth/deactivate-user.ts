import { ApiError } from "../../../platform/http/api-error.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { listUsers, type UserRow, updateUser } from "../users/index.ts";
import { revokeSessions } from "./store.ts";

/**
 * Deactivates a user: sessions and keys stop working at their next request. Answers how many sessions ended.
 * Throws `conflict` for the last active superadmin, whom nobody could bring back.
 */
export async function deactivateUser(deps: { metadata: Metadata; clock: Clock }, user: UserRow): Promise<number> {
	const now = deps.clock.now();
	return deps.metadata.transaction().execute(async (metadata) => {
		const others = (await listUsers(metadata)).filter(({ id }) => id !== user.id);
		const remains = others.some(({ role, is_active: isActive }) => role === "superadmin" && isActive === 1);
		if (user.role === "superadmin" && !remains) {
			throw new ApiError("conflict", { message: "The last active superadmin cannot be deactivated" });
		}
		await updateUser(metadata, user.id, { is_active: 0, updated_at: now });
		return revokeSessions(metadata, user.id, {}, now);
	});
}
