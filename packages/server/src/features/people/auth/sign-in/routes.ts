import type { FastifyRequest } from "fastify";
import { cookieNames, type Guard } from "../../../../access/index.ts";
import { ServiceError } from "../../../../platform/errors/service-error.ts";
import { addRoute } from "../../../../platform/http/add-route.ts";
import type { App } from "../../../../platform/http/app.ts";
import { checkOrigin } from "../../../../platform/http/check-origin.ts";
import { errorAnswers } from "../../../../platform/http/error-answers.ts";
import { Message } from "../../../../platform/http/schemas.ts";
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
	addRoute(app, "POST /auth/token", {
		"x-headers": ["Set-Cookie"],
		tags,
		summary: "Sign in",
		body: SignInBody,
		guard: open,
		data: SignInAnswer(SignedInFrom),
		errors: errorAnswers("invalid_credentials", "email_not_verified"),
		handler: async (request, reply) => {
			const outcome = await signIn(deps, request.body, clientOf(request));
			return await answerSignIn(deps, reply, outcome, await signInOrigin(request, outcome));
		},
	});
	addRoute(app, "POST /auth/refresh", {
		"x-headers": ["Set-Cookie"],
		tags,
		summary: "Exchange the refresh cookie for a new access token",
		guard: open,
		data: Refreshed,
		errors: errorAnswers("token_expired", "token_invalid", "csrf_failed"),
		handler: async (request, reply) => {
			checkOrigin(request.headers.origin, request.host, deps.publicUrl);
			const secrets = await refreshSession(deps, request.cookies[cookieNames.refresh], request.ip);
			setSessionCookies(reply.header("cache-control", "no-store"), secrets, deps.cookieSecure);
			return presentAccessToken(secrets.accessToken);
		},
	});
	addRoute(app, "POST /auth/logout", {
		"x-headers": ["Set-Cookie"],
		tags,
		summary: "End the current session",
		guard: writing,
		data: Message,
		handler: async (request, reply) => {
			await signOut(deps, sessionOf(request), actorOf(request));
			clearSessionCookies(reply, deps.cookieSecure);
			return { message: "Signed out" };
		},
	});
	addRoute(app, "GET /auth/me", {
		tags,
		summary: "The current user",
		guard: { kind: "principal", scope: "accounts:read" },
		data: User,
		handler: async (request) => await currentUser(deps, request.caller, (siteId) => request.isSiteOpenHere(siteId)),
	});
}

function registerSessions(app: App, deps: AuthDeps): void {
	addRoute(app, "GET /auth/sessions", {
		tags,
		summary: "The caller's sessions",
		guard: reading,
		data: SessionList,
		handler: async (request) => {
			const { userId, sessionId } = sessionOf(request);
			const rows = await liveSessions(deps.metadata, userId, deps.clock.now());
			return { sessions: rows.map((row) => presentSession(row, sessionId)), total: rows.length };
		},
	});
	addRoute(app, "DELETE /auth/sessions/:session_id", {
		"x-headers": ["Set-Cookie"],
		tags,
		summary: "Revoke one session",
		params: SessionParams,
		guard: writing,
		data: Message,
		handler: async (request, reply) => {
			const { userId, sessionId: currentId } = sessionOf(request);
			const sessionId = request.params.session_id.toLowerCase();
			const isRevoked = await revokeSession(deps, { userId, sessionId }, actorOf(request));
			if (!isRevoked) throw new ServiceError("not_found", { message: "Session not found" });
			if (sessionId === currentId) clearSessionCookies(reply, deps.cookieSecure);
			return { message: "Session revoked" };
		},
	});
	addRoute(app, "DELETE /auth/sessions", {
		"x-headers": ["Set-Cookie"],
		tags,
		summary: "Revoke all sessions, the current one too unless `include_current` is `false`",
		querystring: RevokeAllQuery,
		guard: writing,
		data: SessionsTerminated,
		handler: async (request, reply) => {
			const { userId, sessionId } = sessionOf(request);
			const { include_current: includeCurrent } = request.query;
			const which = includeCurrent ? { userId } : { userId, except: sessionId };
			const count = await revokeAllSessions(deps, which, actorOf(request));
			if (includeCurrent) clearSessionCookies(reply, deps.cookieSecure);
			return { message: "Sessions revoked", sessions_terminated: count };
		},
	});
}

function sessionOf(request: FastifyRequest): { userId: number; sessionId: string } {
	const { caller } = request;
	if (caller.kind !== "session") throw new ServiceError("forbidden", { message: "Required scope: read" });
	return caller;
}
