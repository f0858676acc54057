import { sessionOf } from "../../../../access/index.ts";
import { addRoute } from "../../../../platform/http/add-route.ts";
import type { App } from "../../../../platform/http/app.ts";
import { errorAnswers } from "../../../../platform/http/error-answers.ts";
import { Message } from "../../../../platform/http/schemas.ts";
import { actorOf } from "../../../auditing/audit-log/index.ts";
import { getUser } from "../../users/index.ts";
import type { ResetDeps } from "../deps.ts";
import { linkSent, passwordChangedMail } from "../mails.ts";
import { requestLimits } from "../request-limits.ts";
import { ChangePasswordBody, ForgotBody, ResetBody, SessionsTerminated } from "../schemas.ts";
import { confirmPassword, forgotPassword, replacePassword, resetPassword } from "./replace-password.ts";

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
	addRoute(app, "POST /users/me/password", {
		tags: ["Users"],
		summary: "Change the caller's password; ends all other sessions",
		body: ChangePasswordBody,
		guard: { kind: "session", scope: "write", impersonation: "refused" },
		data: SessionsTerminated,
		errors: errorAnswers("conflict"),
		handler: async (request) => {
			const { userId, sessionId } = sessionOf(request);
			const user = await getUser(deps.metadata, userId);
			const { current_password: password, new_password: newPassword } = request.body;
			await confirmPassword(deps, user, { password, ip: request.ip }, "The current password is wrong");
			const ended = await replacePassword(deps, user, newPassword, {
				actor: actorOf(request),
				action: "user.password_changed",
				field: "body.new_password",
				keepSession: sessionId,
				alongside: (trx) => deps.mailer.queue(trx, { ...passwordChangedMail(deps.rootUrl), to: user.email }),
			});
			return { message: "The password was changed", sessions_terminated: ended };
		},
	});
}
