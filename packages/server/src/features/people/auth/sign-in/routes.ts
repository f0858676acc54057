import type { FastifyRequest } from "fastify";
import { cookieNames, type Guard } from "../../../../access/index.ts";
import { ServiceError } from "../../../../platform/errors/service-error.ts";
import type { App } from "../../../../platform/http/app.ts";
import { checkOrigin } from "../../../../platform/http/check-origin.ts";
import { success } from "../../../../platform/http/envelope.ts";
import { errorAnswers } from "../../../../platform/http/error-answers.ts";
import { Message, Success } from "../../../../platform/http/schemas.ts";
import { actorOf } from "../../../auditing/audit-log/index.ts";
import { currentUser, User } from "../../users/index.ts";
import type { AuthDeps } from "../deps.ts";
import { clearSessionCookies, setSessionCookies } from "../session/cookies.ts";
import { revokeAllSessions, revokeSession, signOut } from "../session/end-sessions.ts";
import { clientOf, presentAccessToken } from "../session/open-session.ts";
import { presentSession } from "../session/present.ts";
import { refreshSession } from "../session/refresh-session.ts";
import { liveSessions } from "../session/store.ts";
import {
	Refreshed,
	RevokeAllQuery,
	SessionList,
	SessionParams,
	SessionsTerminated,
	SignedInFrom,
	SignInBody,
} from "./schemas.ts";
import { signIn } from "./sign-in.ts";
import { answerSignIn, SignInAnswer, signInOrigin } from "./two-step-answer.ts";

const tags = ["Authentication"];
const open: Guard = { kind: "public" };
const reading: Guard = { kind: "session", scope: "read", impersonation: "refused" };
const writing: Guard = { kind: "session", scope: "write" };

/** Routes on signing in and on the caller's sessions. */
export function registerAuth(app: App, deps: AuthDeps): void {
	registerSigningIn(app, deps);
	registerSessions(app, deps);
}

function registerSigningIn(app: App, deps: AuthDeps): void {
	app.route({
		method: "POST",
		url: "/auth/token",
		schema: {
			"x-headers": ["Set-Cookie"],
			tags,
			summary: "Sign in",
			body: SignInBody,
			response: {
				200: Success(SignInAnswer(SignedInFrom)),
				...errorAnswers("invalid_credentials", "email_not_verified"),
			},
		},
		config: { guard: open },
		handler: async (request, reply) => {
			const outcome = await signIn(deps, request.body, clientOf(request));
			return success(await answerSignIn(deps, reply, outcome, await signInOrigin(request, outcome)));
		},
	});
	app.route({
		method: "POST",
		url: "/auth/refresh",
		schema: {
			"x-headers": ["Set-Cookie"],
			tags,
			summary: "Exchange the refresh cookie for a new access token",
			response: { 200: Success(Refreshed), ...errorAnswers("token_expired", "token_invalid", "csrf_failed") },
		},
		config: { guard: open },
		handler: async (request, reply) => {
			checkOrigin(request.headers.origin, request.host, deps.publicUrl);
			const secrets = await refreshSession(deps, request.cookies[cookieNames.refresh], request.ip);
			setSessionCookies(reply.header("cache-control", "no-store"), secrets, deps.cookieSecure);
			return success(presentAccessToken(secrets.accessToken));
		},
	});
	app.route({
		method: "POST",
		url: "/auth/logout",
		schema: {
			"x-headers": ["Set-Cookie"],
			tags,
			summary: "End the current session",
			response: { 200: Success(Message) },
		},
		config: { guard: writing },
		handler: async (request, reply) => {
			await signOut(deps, sessionOf(request), actorOf(request));
			clearSessionCookies(reply, deps.cookieSecure);
			return success({ message: "Signed out" });
		},
	});
	app.route({
		method: "GET",
		url: "/auth/me",
		schema: { tags, summary: "The current user", response: { 200: Success(User) } },
		config: { guard: { kind: "principal", scope: "accounts:read" } },
		handler: async (request) =>
			success(await currentUser(deps, request.caller, (siteId) => request.isSiteOpenHere(siteId))),
	});
}

function registerSessions(app: App, deps: AuthDeps): void {
	app.route({
		method: "GET",
		url: "/auth/sessions",
		schema: { tags, summary: "The caller's sessions", response: { 200: Success(SessionList) } },
		config: { guard: reading },
		handler: async (request) => {
			const { userId, sessionId } = sessionOf(request);
			const rows = await liveSessions(deps.metadata, userId, deps.clock.now());
			return success({ sessions: rows.map((row) => presentSession(row, sessionId)), total: rows.length });
		},
	});
	app.route({
		method: "DELETE",
		url: "/auth/sessions/:session_id",
		schema: {
			"x-headers": ["Set-Cookie"],
			tags,
			summary: "Revoke one session",
			params: SessionParams,
			response: { 200: Success(Message) },
		},
		config: { guard: writing },
		handler: async (request, reply) => {
			const { userId, sessionId: currentId } = sessionOf(request);
			const sessionId = request.params.session_id.toLowerCase();
			const isRevoked = await revokeSession(deps, { userId, sessionId }, actorOf(request));
			if (!isRevoked) throw new ServiceError("not_found", { message: "Session not found" });
			if (sessionId === currentId) clearSessionCookies(reply, deps.cookieSecure);
			return success({ message: "Session revoked" });
		},
	});
	app.route({
		method: "DELETE",
		url: "/auth/sessions",
		schema: {
			"x-headers": ["Set-Cookie"],
			tags,
			summary: "Revoke all sessions, the current one too unless `include_current` is `false`",
			querystring: RevokeAllQuery,
			response: { 200: Success(SessionsTerminated) },
		},
		config: { guard: writing },
		handler: async (request, reply) => {
			const { userId, sessionId } = sessionOf(request);
			const { include_current: includeCurrent } = request.query;
			const which = includeCurrent ? { userId } : { userId, except: sessionId };
			const count = await revokeAllSessions(deps, which, actorOf(request));
			if (includeCurrent) clearSessionCookies(reply, deps.cookieSecure);
			return success({ message: "Sessions revoked", sessions_terminated: count });
		},
	});
}

function sessionOf(request: FastifyRequest): { userId: number; sessionId: string } {
	const { caller } = request;
	if (caller.kind !== "session") throw new ServiceError("forbidden", { message: "Required scope: read" });
	return caller;
}
