import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { errorAnswers } from "../../../platform/http/error-answers.ts";
import { Message } from "../../../platform/http/schemas.ts";
import { actorOf } from "../../auditing/audit-log/index.ts";
import { callingUser } from "./calling-user.ts";
import type { TwoFactorDeps } from "./deps.ts";
import { writing } from "./guards.ts";
import { presentEnabled, presentSetup } from "./present.ts";
import { AppCodeBody, Enabled, PasswordBody, Setup } from "./schemas.ts";
import { confirmSetup, startSetup } from "./set-up.ts";
import { deleteSetup } from "./store.ts";

const tags = ["Two-factor authentication"];

/** Routes that switch the second factor on. */
export function registerSetup(app: App, deps: TwoFactorDeps): void {
	addRoute(app, "POST /2fa/setup", {
		tags,
		summary: "Start the setup of an authenticator app",
		body: PasswordBody,
		guard: writing,
		data: Setup,
		errors: errorAnswers("conflict"),
		handler: async (request, reply) => {
			const { user } = await callingUser(deps, request.caller);
			reply.header("cache-control", "no-store");
			return presentSetup(await startSetup(deps, user, { ...request.body, ip: request.ip }));
		},
	});
	for (const url of ["/2fa/verify", "/2fa/setup/verify"]) {
		addRoute(app, `POST ${url}`, {
			tags,
			summary: "Complete the setup with a first code; ends the other sessions",
			body: AppCodeBody,
			guard: writing,
			data: Enabled,
			handler: async (request, reply) => {
				const { user, sessionId } = await callingUser(deps, request.caller);
				reply.header("cache-control", "no-store");
				const given = { code: request.body.code, sessionId, actor: actorOf(request) };
				return presentEnabled(await confirmSetup(deps, user, given));
			},
		});
	}
	addRoute(app, "POST /2fa/setup/cancel", {
		tags,
		summary: "Cancel the setup",
		guard: writing,
		data: Message,
		handler: async (request) => {
			await deleteSetup(deps.metadata, request.caller.userId);
			return { message: "The setup was cancelled" };
		},
	});
}
