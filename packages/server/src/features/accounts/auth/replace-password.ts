import type { Clock } from "../../../platform/lib/clock.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { checkPasswordPolicy, hashPassword, type UserRow, updateUser } from "../users/index.ts";
import { revokeSessions } from "./store.ts";

/**
 * Gives a user another password and ends all of the user's sessions; answers how many ended.
 * Throws `validation_error` on `body.password`.
 */
export async function replacePassword(
	deps: { metadata: Metadata; clock: Clock },
	user: UserRow,
	password: string,
): Promise<number> {
	checkPasswordPolicy(password, user.email);
	const passwordHash = await hashPassword(password);
	const now = deps.clock.now();
	return deps.metadata.transaction().execute(async (metadata) => {
		await updateUser(metadata, user.id, { password_hash: passwordHash, updated_at: now });
		return revokeSessions(metadata, user.id, {}, now);
	});
}
