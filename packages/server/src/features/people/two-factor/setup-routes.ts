import type { App } from "../../../platform/http/app.ts";
import { success } from "../../../platform/http/envelope.ts";
import { errorAnswers } from "../../../platform/http/error-answers.ts";
import { Message, Success } from "../../../platform/http/schemas.ts";
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
	app.route({
		method: "POST",
		url: "/2fa/setup",
		schema: {
			tags,
			summary: "Begin the setup of an authenticator app",
			body: PasswordBody,
			response: { 200: Success(Setup), ...errorAnswers("conflict") },
		},
		config: { guard: writing },
		handler: async (request, reply) => {
			const { user } = await callingUser(deps, request.caller);
			reply.header("cache-control", "no-store");
			return success(presentSetup(await startSetup(deps, user, { ...request.body, ip: request.ip })));
		},
	});
	for (const url of ["/2fa/verify", "/2fa/setup/verify"]) {
		app.route({
			method: "POST",
			url,
			schema: {
				tags,
				summary: "End the setup with a first code; ends the other sessions",
				body: AppCodeBody,
				response: { 200: Success(Enabled) },
			},
			config: { guard: writing },
			handler: async (request, reply) => {
				const { user, sessionId } = await callingUser(deps, request.caller);
				reply.header("cache-control", "no-store");
				const given = { code: request.body.code, sessionId, actor: actorOf(request) };
				return success(presentEnabled(await confirmSetup(deps, user, given)));
			},
		});
	}
	app.route({
		method: "POST",
		url: "/2fa/setup/cancel",
		schema: { tags, summary: "Give up the setup", response: { 200: Success(Message) } },
		config: { guard: writing },
		handler: async (request) => {
			await deleteSetup(deps.metadata, request.caller.userId);
			return success({ message: "The setup was cancelled" });
		},
	});
}
