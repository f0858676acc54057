import { ServiceError } from "../../../../platform/errors/service-error.ts";
import { addRoute } from "../../../../platform/http/add-route.ts";
import type { App } from "../../../../platform/http/app.ts";
import { errorAnswers } from "../../../../platform/http/error-answers.ts";
import { Message } from "../../../../platform/http/schemas.ts";
import { type Actor, actorOf } from "../../../auditing/audit-log/index.ts";
import { findUser, type UserRow } from "../../users/index.ts";
import type { MailingAuthDeps, ResetDeps } from "../deps.ts";
import { linkSent } from "../link-sent.ts";
import { ChangePasswordBody, ForgotBody, ResetBody } from "../registration/registration-schemas.ts";
import { requestLimits } from "../request-limits.ts";
import { SessionsTerminated } from "../sign-in/schemas.ts";
import { confirmPassword } from "./confirm-password.ts";
import { passwordChangedMail } from "./mails.ts";
import { replacePassword } from "./replace-password.ts";
import { forgotPassword, resetPassword } from "./reset-password.ts";

interface Change {
	readonly user: UserRow;
	/** The requesting session, which stays valid. */
	readonly sessionId: string;
	readonly currentPassword: string;
	readonly newPassword: string;
	readonly ip: string;
}

/**
 * Replaces the password of somebody who knows it, and ends the other sessions; answers how many.
 * Throws `bad_request` for a wrong current password, `rate_limit_exceeded`, and `validation_error` on `body.new_password`.
 */
async function changePassword(deps: MailingAuthDeps, change: Change, actor: Actor): Promise<number> {
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

/** Routes on replacing a password. */
export function registerPasswords(app: App, deps: ResetDeps): void {
	addRoute(app, "POST /auth/forgot-password", {
		tags: ["Authentication"],
		summary: "Mail a link to reset the password; all addresses get the same response",
		body: ForgotBody,
		guard: { kind: "public" },
		limit: requestLimits.resetMail,
		data: Message,
		handler: async (request) => {
			await forgotPassword(deps, request.body.email);
			return { message: linkSent(deps.mailer, "has an account") };
		},
	});
	addRoute(app, "POST /auth/reset-password", {
		tags: ["Authentication"],
		summary: "Set a new password with the mailed token; ends all sessions and revokes connected apps",
		body: ResetBody,
		guard: { kind: "public" },
		data: SessionsTerminated,
		errors: errorAnswers("conflict"),
		handler: async (request) => {
			const { token, new_password: newPassword } = request.body;
			const ended = await resetPassword(deps, { token, newPassword }, request.ip);
			return { message: "The password was changed", sessions_terminated: ended };
		},
	});
	registerPasswordChange(app, deps);
}

function registerPasswordChange(app: App, deps: MailingAuthDeps): void {
	addRoute(app, "POST /users/me/password", {
		tags: ["Users"],
		summary: "Change the caller's password; ends all other sessions",
		body: ChangePasswordBody,
		guard: { kind: "session", scope: "write", impersonation: "refused" },
		data: SessionsTerminated,
		errors: errorAnswers("conflict"),
		handler: async (request) => {
			const { caller, ip } = request;
			const user = await findUser(deps.metadata, caller.userId);
			if (caller.kind !== "session" || user === undefined) throw new ServiceError("user_not_found");
			const { current_password: currentPassword, new_password: newPassword } = request.body;
			const change = { user, sessionId: caller.sessionId, currentPassword, newPassword, ip };
			const ended = await changePassword(deps, change, actorOf(request));
			return { message: "The password was changed", sessions_terminated: ended };
		},
	});
}
