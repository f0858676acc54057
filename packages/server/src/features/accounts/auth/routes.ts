import type { FastifyRequest } from "fastify";
import { checkOrigin, cookieNames, type Guard } from "../../../access/index.ts";
import { ApiError } from "../../../platform/http/api-error.ts";
import type { App } from "../../../platform/http/app.ts";
import { success } from "../../../platform/http/envelope.ts";
import { Success } from "../../../platform/http/schemas.ts";
import { currentUser, User } from "../users/index.ts";
import { clearSessionCookies, setSessionCookies } from "./cookies.ts";
import type { AuthDeps } from "./deps.ts";
import { type Client, presentAccessToken } from "./open-session.ts";
import { presentSession } from "./present.ts";
import { refreshSession } from "./refresh-session.ts";
import {
	Message,
	Refreshed,
	RevokeAllQuery,
	SessionList,
	SessionParams,
	SessionsTerminated,
	SignedIn,
	SignInBody,
} from "./schemas.ts";
import { signIn } from "./sign-in.ts";
import { liveSessions, revokeSessions } from "./store.ts";

const tags = ["Authentication"];
const open: Guard = { kind: "public" };
const reading: Guard = { kind: "session", scope: "read" };
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
		schema: { tags, summary: "Sign in", body: SignInBody, response: { 200: Success(SignedIn) } },
		config: { guard: open },
		handler: async (request, reply) => {
			const { secrets, user } = await signIn(deps, request.body, clientOf(request));
			setSessionCookies(reply.header("cache-control", "no-store"), secrets, deps.cookieSecure);
			const token = presentAccessToken(secrets.accessToken);
			return success({ ...token, user, ip_filtered_accounts: [], client_ip: request.ip });
		},
	});
	app.route({
		method: "POST",
		url: "/auth/refresh",
		schema: {
			tags,
			summary: "Exchange the refresh cookie for a new access token",
			response: { 200: Success(Refreshed) },
		},
		config: { guard: open },
		handler: async (request, reply) => {
			checkOrigin(request.headers.origin, request.host, deps.publicUrl);
			const secrets = await refreshSession(deps, request.cookies[cookieNames.refresh]);
			setSessionCookies(reply.header("cache-control", "no-store"), secrets, deps.cookieSecure);
			return success(presentAccessToken(secrets.accessToken));
		},
	});
	app.route({
		method: "POST",
		url: "/auth/logout",
		schema: { tags, summary: "End the current session", response: { 200: Success(Message) } },
		config: { guard: writing },
		handler: async (request, reply) => {
			const { userId, sessionId } = sessionOf(request);
			await revokeSessions(deps.metadata, userId, { id: sessionId }, deps.clock.now());
			clearSessionCookies(reply, deps.cookieSecure);
			return success({ message: "Signed out" });
		},
	});
	app.route({
		method: "GET",
		url: "/auth/me",
		schema: { tags, summary: "The current user", response: { 200: Success(User) } },
		config: { guard: { kind: "principal", scope: "accounts:read" } },
		handler: async (request) => success(await currentUser(deps, request.caller)),
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
		schema: { tags, summary: "Revoke one session", params: SessionParams, response: { 200: Success(Message) } },
		config: { guard: writing },
		handler: async (request) => {
			const { userId } = sessionOf(request);
			const id = request.params.session_id.toLowerCase();
			const revoked = await revokeSessions(deps.metadata, userId, { id }, deps.clock.now());
			if (revoked === 0) throw new ApiError("not_found", { message: "Session not found" });
			return success({ message: "Session revoked" });
		},
	});
	app.route({
		method: "DELETE",
		url: "/auth/sessions",
		schema: {
			tags,
			summary: "Revoke all sessions, the current one only on request",
			querystring: RevokeAllQuery,
			response: { 200: Success(SessionsTerminated) },
		},
		config: { guard: writing },
		handler: async (request) => {
			const { userId, sessionId } = sessionOf(request);
			const which = request.query.include_current ? {} : { except: sessionId };
			const count = await revokeSessions(deps.metadata, userId, which, deps.clock.now());
			return success({ message: "Sessions revoked", sessions_terminated: count });
		},
	});
}

const clientOf = (request: FastifyRequest): Client => ({ ip: request.ip, userAgent: request.headers["user-agent"] });

function sessionOf(request: FastifyRequest): { userId: number; sessionId: string } {
	const { caller } = request;
	if (caller.kind !== "session") throw new ApiError("forbidden", { message: "Required scope: read" });
	return caller;
}
