import { fieldError } from "../../../platform/errors/service-error.ts";
import type { Mail } from "../../../platform/outbound/mail/mailer.ts";
import type { Actor } from "../../auditing/audit-log/index.ts";
import { confirmPassword } from "../../people/auth/index.ts";
import { confirmCode, type TwoFactorDeps } from "../../people/two-factor/index.ts";
import type { UserRow } from "../../people/users/index.ts";
import { type DeleteUserDeps, deleteUser, type UserDeletion } from "./delete-user.ts";

/** Dependencies of closing one's own account. */
export interface CloseAccountDeps extends DeleteUserDeps, TwoFactorDeps {
	/** Where mails say that the service is. */
	readonly rootUrl: string;
}

interface Closing {
	readonly user: UserRow;
	readonly password: string;
	/** Of the app, or a backup code; needed where the second factor is on. */
	readonly code: string | undefined;
	readonly ip: string;
	readonly actor: Actor;
}

/**
 * Deletes the calling user for good, as `deleteUser` does, and tells the address. Throws `bad_request` for a wrong password or
 * code, `rate_limit_exceeded` after too many, `validation_error` on `body.code` where one is missing, and as `deleteUser` does.
 */
export async function closeAccount(deps: CloseAccountDeps, closing: Closing): Promise<UserDeletion> {
	const { user, password, code, ip, actor } = closing;
	const asksForCode = user.two_factor_enabled_at !== null;
	if (asksForCode && code === undefined) throw fieldError("body.code", "is required", "missing");
	await confirmPassword(deps, user, { password, ip });
	if (asksForCode && code !== undefined) await confirmCode(deps, user, code);
	const deletion = await deleteUser(deps, user, actor);
	await deps.metadata.transaction().execute((trx) => deps.mailer.queue(trx, closedMail(deps.rootUrl, user)));
	return deletion;
}

const closedMail = (rootUrl: string, { email, name }: UserRow): Mail => ({
	to: email,
	subject: "Your account was closed",
	body: [
		`Hello ${name},`,
		`Your account with Footfall at ${rootUrl} was closed. Its sessions, API keys and connected apps no longer work.`,
		"This is the last email to this address. If this wasn't you, contact the operator of the service.",
	],
});
