import { ServiceError } from "../../../../platform/errors/service-error.ts";
import type { Metadata } from "../../../../platform/metadata/metadata.ts";
import { type Actor, type ChangeDeps, recordAudit } from "../../../auditing/audit-log/index.ts";
import { endOneTimeTokens } from "../../one-time-tokens/index.ts";
import { checkPasswordPolicy, hashPassword, replacePasswordHash, type UserRow } from "../../users/index.ts";
import { endAddressChange } from "../address/store.ts";
import { revokeSessions } from "../session/store.ts";

interface Replacement {
	readonly actor: Actor;
	readonly action: "user.password_changed" | "user.password_reset";
	/** Where the request has the password. */
	readonly field: string;
	/** The session that may go on. */
	readonly keepSession?: string;
	/** Joins the transaction once the user is locked; throwing undoes everything. */
	readonly alongside?: (metadata: Metadata) => Promise<void>;
	/** Ends what else may be in wrong hands; joins after the sessions, none of which can add to it any more. */
	readonly endGrants?: (metadata: Metadata, nowMs: number) => Promise<void>;
}

/**
 * Gives a user another password, and ends the sessions, half-done sign-ins, reset links and changes of the address that the old one led
 * to; answers how many sessions ended.
 * Throws `validation_error` on the field, and `conflict` when the password was replaced since `user` was read.
 */
export async function replacePassword(
	deps: ChangeDeps,
	user: UserRow,
	password: string,
	{ actor, action, field, keepSession, alongside, endGrants }: Replacement,
): Promise<number> {
	checkPasswordPolicy(password, user.email, field);
	const passwordHash = await hashPassword(password);
	const now = deps.clock.now();
	return deps.metadata.transaction().execute(async (metadata) => {
		// First, so that concurrent sign-ins and password changes wait for this row.
		if (!(await replacePasswordHash(metadata, user, passwordHash, now))) {
			throw new ServiceError("conflict", { message: "The password was changed in the meantime" });
		}
		await alongside?.(metadata);
		const ended = await revokeSessions(
			metadata,
			user.id,
			keepSession === undefined ? {} : { except: keepSession },
			now,
		);
		await endGrants?.(metadata, now);
		await endOneTimeTokens(metadata, "sign_in_challenge", user.id);
		await endOneTimeTokens(metadata, "password_reset", user.id);
		// It may have been started with the old password.
		await endAddressChange(metadata, user.id);
		const details = { sessions_terminated: ended };
		await recordAudit(metadata, actor, { action, resourceId: user.id, details }, now);
		return ended;
	});
}
