import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { type Actor, recordAudit } from "../../auditing/audit-log/index.ts";
import { confirmPassword } from "../auth/index.ts";
import { endOneTimeTokens } from "../one-time-tokens/index.ts";
import { type UserRow, updateUser } from "../users/index.ts";

import type { TwoFactorDeps } from "./deps.ts";
import { disabledMail } from "./mails.ts";
import { deleteSetup, deleteTwoFactor } from "./store.ts";
import { confirmCode } from "./use-code.ts";

/**
 * Switches the second factor off; asks for the password and a code of either kind.
 * Throws `conflict` when it is off, `bad_request` for a wrong password or code, and as `useCode` does.
 */
export async function disableTwoFactor(
	deps: TwoFactorDeps,
	user: UserRow,
	given: { password: string; code: string; ip: string; actor: Actor },
): Promise<void> {
	if (user.two_factor_enabled_at === null) throw alreadyOff();
	await confirmPassword(deps, user, given);
	await confirmCode(deps, user, given.code);
	await switchOffTwoFactor(deps, user, given.actor, (trx) => deps.mailer.queue(trx, disabledMail(user)));
}

/**
 * Switches a user's second factor off without asking for a code; `alongside` joins the transaction.
 * Throws `conflict` when it is off.
 */
export async function switchOffTwoFactor(
	deps: Pick<TwoFactorDeps, "metadata" | "clock">,
	user: UserRow,
	actor: Actor,
	alongside: (trx: Metadata) => Promise<void> = async () => {},
): Promise<void> {
	const now = deps.clock.now();
	await deps.metadata.transaction().execute(async (trx) => {
		await updateUser(trx, user.id, { two_factor_enabled_at: null, updated_at: now });
		if (!(await deleteTwoFactor(trx, user.id))) throw alreadyOff();
		await endOneTimeTokens(trx, "sign_in_challenge", user.id);
		await recordAudit(trx, actor, { action: "user.2fa_disabled", resourceId: user.id }, now);
		await alongside(trx);
	});
}

/** Takes away whatever a user has or began of a second factor, within a transaction of the caller. */
export async function removeSecondFactor(trx: Metadata, userId: number): Promise<void> {
	await deleteTwoFactor(trx, userId);
	await deleteSetup(trx, userId);
}

const alreadyOff = () => new ServiceError("conflict", { message: "Two-factor authentication is off" });
