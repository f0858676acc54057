import type { CookieSerializeOptions } from "@fastify/cookie";
import { Type } from "typebox";
import { sessionOf } from "../../../access/index.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { errorAnswers } from "../../../platform/http/error-answers.ts";
import { Id, Message, Text, Timestamp } from "../../../platform/http/schemas.ts";
import { equalConstantTime, sha256Hex } from "../../../platform/lib/crypto.ts";
import { timestamp } from "../../../platform/lib/timestamp.ts";
import { type Actor, actorOf, recordAudit } from "../../auditing/audit-log/index.ts";
import {
	type AuthDeps,
	type Client,
	clearSessionCookies,
	clientOf,
	findSession,
	openImpersonation,
	presentAccessToken,
	resumeSession,
	revokeSessions,
	setSessionCookies,
} from "../auth/index.ts";
import { getUser } from "../users/index.ts";

/**
 * Proves that the browser that ends an impersonation is the one that began it: a stolen access token of the
 * impersonation must not bring the superadmin's session.
 */
const NAME = "svc_impersonator_token";
const SECONDS = 3600;

const form = {
	httpOnly: true,
	sameSite: "strict",
	path: "/api/v1/admin/impersonate-user",
} as const satisfies CookieSerializeOptions;

const ImpersonateBody = Type.Object({
	user_id: Id(),
	reason: Text(1, 500, { description: "For the audit log" }),
});

const Impersonating = Type.Object({
	access_token: Type.String(),
	expires_in: Type.Integer({ description: "Seconds; an impersonation ends after one hour" }),
});

const ImpersonationStatus = Type.Object({
	is_impersonating: Type.Boolean(),
	impersonated_user_id: Type.Optional(Type.Integer({ description: "Only while impersonating" })),
	impersonated_email: Type.Optional(Type.String({ description: "Only while impersonating" })),
	started_at: Type.Optional(Timestamp()),
});

const tags = ["Impersonation"];

export function registerImpersonation(app: App, deps: AuthDeps): void {
	addRoute(app, "POST /admin/impersonate-user", {
		"x-headers": ["Set-Cookie"],
		tags,
		summary: "Act as another user, for at most one hour",
		body: ImpersonateBody,
		guard: { kind: "session", scope: "write", superadmin: true },
		data: Impersonating,
		errors: errorAnswers("user_not_found", "conflict"),
		handler: async (request, reply) => {
			const { user_id: userId, reason } = request.body;
			const own = sessionOf(request);
			const given = { userId, reason, own, client: clientOf(request), actor: actorOf(request) };
			const { secrets, returnToken } = await impersonate(deps, given);
			setSessionCookies(reply.header("cache-control", "no-store"), secrets, deps.cookieSecure);
			reply.setCookie(NAME, returnToken, { ...form, secure: deps.cookieSecure, maxAge: SECONDS });
			const { access_token, expires_in } = presentAccessToken(secrets.accessToken);
			return { access_token, expires_in };
		},
	});
	addRoute(app, "DELETE /admin/impersonate-user", {
		"x-headers": ["Set-Cookie"],
		tags,
		summary: "Stop acting as another user; restores the own session",
		guard: { kind: "session", scope: "write", impersonation: "admitted" },
		data: Message,
		errors: errorAnswers("conflict"),
		handler: async (request, reply) => {
			const { userId, sessionId } = sessionOf(request);
			const given = { userId, sessionId, returnToken: request.cookies[NAME] ?? "", actor: actorOf(request) };
			const own = await endImpersonation(deps, given);
			reply.header("cache-control", "no-store");
			reply.clearCookie(NAME, { ...form, secure: deps.cookieSecure });
			if (own === undefined) clearSessionCookies(reply, deps.cookieSecure);
			else setSessionCookies(reply, own, deps.cookieSecure);
			return { message: "The impersonation has ended" };
		},
	});
	addRoute(app, "GET /auth/impersonation-status", {
		tags,
		summary: "Whether the session is an impersonation",
		guard: { kind: "session", scope: "read" },
		data: ImpersonationStatus,
		handler: async (request) => {
			const { userId, sessionId, email } = sessionOf(request);
			return presentStatus(await findSession(deps.metadata, sessionId), { userId, email });
		},
	});
}

/**
 * Ends an impersonation; answers the secrets of the superadmin's own session when `returnToken` proves that the browser had
 * it and it has not ended. Throws `conflict` outside an impersonation.
 */
async function endImpersonation(
	deps: AuthDeps,
	given: { userId: number; sessionId: string; returnToken: string; actor: Actor },
) {
	const session = await findSession(deps.metadata, given.sessionId);
	if (session === undefined || session.impersonator_session_id === null || session.return_hash === null) {
		throw new ServiceError("conflict", { message: "Not impersonating" });
	}
	const now = deps.clock.now();
	const ended = await deps.metadata.transaction().execute(async (trx) => {
		if ((await revokeSessions(trx, given.userId, { id: session.id }, now)) === 0) return false;
		await recordAudit(trx, given.actor, { action: "user.impersonation_ended", resourceId: given.userId }, now);
		return true;
	});
	// Of two requests at once, one brings the session back.
	if (!ended || !equalConstantTime(sha256Hex(given.returnToken), session.return_hash)) return undefined;
	return resumeSession(deps, session.impersonator_session_id);
}

/**
 * Lets a superadmin act as another user for an hour. Throws `user_not_found`, `forbidden` for a superadmin, and `conflict`
 * for a user who was deactivated.
 */
async function impersonate(
	deps: AuthDeps,
	given: { userId: number; reason: string; own: { userId: number; sessionId: string }; client: Client; actor: Actor },
) {
	const user = await getUser(deps.metadata, given.userId);
	if (user.role === "superadmin")
		throw new ServiceError("forbidden", { message: "A superadmin cannot be impersonated" });
	if (user.is_active !== 1) throw new ServiceError("conflict", { message: "The user is deactivated" });
	const details = { reason: given.reason };
	const entry = { action: "user.impersonation_started", resourceId: user.id, details } as const;
	return openImpersonation(deps, { user, own: given.own, client: given.client }, (trx) =>
		recordAudit(trx, given.actor, entry, deps.clock.now()),
	);
}

const presentStatus = (session: Awaited<ReturnType<typeof findSession>>, user: { userId: number; email: string }) =>
	session === undefined || session.impersonator_id === null
		? { is_impersonating: false }
		: {
				is_impersonating: true,
				impersonated_user_id: user.userId,
				impersonated_email: user.email,
				started_at: timestamp(session.created_at),
			};
