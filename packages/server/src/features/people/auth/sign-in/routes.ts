import { cookieNames, type Guard, sessionOf } from "../../../../access/index.ts";
import { ServiceError } from "../../../../platform/errors/service-error.ts";
import { addRoute } from "../../../../platform/http/add-route.ts";
import type { App } from "../../../../platform/http/app.ts";
import { checkOrigin } from "../../../../platform/http/check-origin.ts";
import { errorAnswers } from "../../../../platform/http/error-answers.ts";
import { Message } from "../../../../platform/http/schemas.ts";
import { timestamp } from "../../../../platform/lib/timestamp.ts";
import { actorOf } from "../../../auditing/audit-log/index.ts";
import { currentUser, User } from "../../users/index.ts";
import type { AuthDeps } from "../deps.ts";
import {
	Refreshed,
	RevokeAllQuery,
	SessionList,
	SessionParams,
	SessionsTerminated,
	SignedInFrom,
	SignInBody,
} from "../schemas.ts";
import { refreshSession, revokeAllSessions, revokeSession, signOut } from "../session/change-sessions.ts";
import { clearSessionCookies, setSessionCookies } from "../session/cookies.ts";
import { clientOf, presentAccessToken } from "../session/open-session.ts";
import { liveSessions } from "../store.ts";
import { answerSignIn, SignInAnswer, signIn, signInOrigin } from "./sign-in.ts";

const tags = ["Authentication"];
const open: Guard = { kind: "public" };
const reading: Guard = { kind: "session", scope: "read", impersonation: "refused" };
const writing: Guard = { kind: "session", scope: "write" };

export function registerAuth(app: App, deps: AuthDeps): void {
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
	addRoute(app, "GET /auth/sessions", {
		tags,
		summary: "The caller's sessions",
		guard: reading,
		data: SessionList,
		handler: async (request) => {
			const { userId, sessionId } = sessionOf(request);
			const rows = await liveSessions(deps.metadata, userId, deps.clock.now());
			const sessions = rows.map((row) => ({
				id: row.id,
				user_agent: row.user_agent,
				ip_address: row.ip_address,
				created_at: timestamp(row.created_at),
				last_used_at: timestamp(row.last_used_at),
				is_current: row.id === sessionId,
			}));
			return { sessions, total: sessions.length };
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
			const which = { userId, except: includeCurrent ? undefined : sessionId };
			const count = await revokeAllSessions(deps, which, actorOf(request));
			if (includeCurrent) clearSessionCookies(reply, deps.cookieSecure);
			return { message: "Sessions revoked", sessions_terminated: count };
		},
	});
}
