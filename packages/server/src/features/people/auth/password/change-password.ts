import type { Actor } from "../../../auditing/audit-log/index.ts";
import type { UserRow } from "../../users/index.ts";
import type { MailingAuthDeps } from "../deps.ts";
import { confirmPassword } from "./confirm-password.ts";
import { passwordChangedMail } from "./mails.ts";
import { replacePassword } from "./replace-password.ts";

interface Change {
	readonly user: UserRow;
	/** The session that asks, which goes on. */
	readonly sessionId: string;
	readonly currentPassword: string;
	readonly newPassword: string;
	readonly ip: string;
}

/**
 * Replaces the password of somebody who knows it, and ends the other sessions; answers how many.
 * Throws `bad_request` for a wrong current password, `rate_limit_exceeded`, and `validation_error` on `body.new_password`.
 */
export async function changePassword(deps: MailingAuthDeps, change: Change, actor: Actor): Promise<number> {
	const { user, sessionId, ip } = change;
	const given = { password: change.currentPassword, ip };
	await confirmPassword(deps, user, given, "The current password is wrong");
	return replacePassword(deps, user, change.newPassword, {
		actor,
		action: "user.password_changed",
		field: "body.new_password",
		keepSession: sessionId,
		alongside: (metadata) => deps.mailer.queue(metadata, { ...passwordChangedMail(deps.rootUrl), to: user.email }),
	});
}
