import type { FastifyRequest } from "fastify";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { App } from "../../../platform/http/app.ts";
import { success } from "../../../platform/http/envelope.ts";
import { errorAnswers } from "../../../platform/http/error-answers.ts";
import { Message, Success } from "../../../platform/http/schemas.ts";
import { actorOf } from "../../auditing/audit-log/index.ts";
import {
	type AuthDeps,
	clearSessionCookies,
	clientOf,
	findSession,
	presentAccessToken,
	setSessionCookies,
} from "../auth/index.ts";
import { clearReturnCookie, returnCookieOf, setReturnCookie } from "./cookies.ts";
import { endImpersonation } from "./end-impersonation.ts";
import { impersonate } from "./impersonate.ts";
import { presentStatus } from "./present.ts";
import { ImpersonateBody, Impersonating, ImpersonationStatus } from "./schemas.ts";

const tags = ["Impersonation"];

/** Routes by which a superadmin acts as another user. */
export function registerImpersonation(app: App, deps: AuthDeps): void {
	registerBeginning(app, deps);
	registerEnd(app, deps);
	registerStatus(app, deps);
}

function registerBeginning(app: App, deps: AuthDeps): void {
	app.route({
		method: "POST",
		url: "/admin/impersonate-user",
		schema: {
			"x-headers": ["Set-Cookie"],
			tags,
			summary: "Act as another user, for an hour at most",
			body: ImpersonateBody,
			response: { 200: Success(Impersonating), ...errorAnswers("user_not_found", "conflict") },
		},
		config: { guard: { kind: "session", scope: "write", superadmin: true } },
		handler: async (request, reply) => {
			const { user_id: userId, reason } = request.body;
			const own = sessionOf(request);
			const given = { userId, reason, own, client: clientOf(request), actor: actorOf(request) };
			const { secrets, returnToken } = await impersonate(deps, given);
			setSessionCookies(reply.header("cache-control", "no-store"), secrets, deps.cookieSecure);
			setReturnCookie(reply, returnToken, deps.cookieSecure);
			const { access_token, expires_in } = presentAccessToken(secrets.accessToken);
			return success({ access_token, expires_in });
		},
	});
}

function registerEnd(app: App, deps: AuthDeps): void {
	app.route({
		method: "DELETE",
		url: "/admin/impersonate-user",
		schema: {
			"x-headers": ["Set-Cookie"],
			tags,
			summary: "Stop acting as another user; the browser has its own session back",
			response: { 200: Success(Message), ...errorAnswers("conflict") },
		},
		config: { guard: { kind: "session", scope: "write", impersonation: "admitted" } },
		handler: async (request, reply) => {
			const { userId, sessionId } = sessionOf(request);
			const given = { userId, sessionId, returnToken: returnCookieOf(request), actor: actorOf(request) };
			const own = await endImpersonation(deps, given);
			reply.header("cache-control", "no-store");
			clearReturnCookie(reply, deps.cookieSecure);
			if (own === undefined) clearSessionCookies(reply, deps.cookieSecure);
			else setSessionCookies(reply, own, deps.cookieSecure);
			return success({ message: "The impersonation has ended" });
		},
	});
}

function registerStatus(app: App, deps: AuthDeps): void {
	app.route({
		method: "GET",
		url: "/auth/impersonation-status",
		schema: {
			tags,
			summary: "Whether the session is an impersonation",
			response: { 200: Success(ImpersonationStatus) },
		},
		config: { guard: { kind: "session", scope: "read" } },
		handler: async (request) => {
			const { userId, sessionId, email } = sessionOf(request);
			return success(presentStatus(await findSession(deps.metadata, sessionId), { userId, email }));
		},
	});
}

function sessionOf(request: FastifyRequest) {
	const { caller } = request;
	if (caller.kind !== "session") throw new ServiceError("forbidden", { message: "Required scope: write" });
	return caller;
}
