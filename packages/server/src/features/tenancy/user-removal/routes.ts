import { Type } from "typebox";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { errorAnswers } from "../../../platform/http/error-answers.ts";
import { actorOf } from "../../auditing/audit-log/index.ts";
import { clearSessionCookies } from "../../people/auth/index.ts";
import { getUser, Password } from "../../people/users/index.ts";
import { type CloseAccountDeps, closeAccount } from "./delete-user.ts";

const CloseBody = Type.Object({
	password: Password(),
	code: Type.Optional(
		Type.String({
			minLength: 6,
			maxLength: 14,
			description: "From the authenticator app, or a backup code; required where two-factor authentication is on",
		}),
	),
});

const Closed = Type.Object({
	message: Type.String(),
	organizations_deleted: Type.Array(Type.String(), {
		description: "Slugs of the organizations that only this user belonged to",
	}),
});

/** The route by which users delete themselves. */
export function registerAccountClosing(app: App, deps: CloseAccountDeps): void {
	addRoute(app, "DELETE /users/me", {
		"x-headers": ["Set-Cookie"],
		tags: ["Users"],
		summary: "Delete the caller's account, and organizations without other members",
		body: CloseBody,
		guard: { kind: "session", scope: "write", impersonation: "refused" },
		data: Closed,
		errors: errorAnswers("conflict"),
		handler: async (request, reply) => {
			const user = await getUser(deps.metadata, request.caller.userId);
			const { password, code } = request.body;
			const closing = { user, password, code, ip: request.ip, actor: actorOf(request) };
			const { organizations } = await closeAccount(deps, closing);
			clearSessionCookies(reply, deps.cookieSecure);
			return { message: "The account was closed", organizations_deleted: [...organizations] };
		},
	});
}
