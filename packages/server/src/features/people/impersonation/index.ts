import type { CookieSerializeOptions } from "@fastify/cookie";
import { Type } from "typebox";
import { ACCESS_TOKEN_SECONDS, sessionOf } from "../../../access/index.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { Id, Text, Timestamp } from "../../../platform/http/schemas.ts";
import { equalConstantTime, sha256Hex } from "../../../platform/lib/crypto.ts";
import { timestamp } from "../../../platform/lib/timestamp.ts";
import { actorOf, recordAudit } from "../../auditing/audit-log/index.ts";
import {
	type AuthDeps,
	clearSessionCookies,
	clientOf,
	endSessions,
	findSession,
	openImpersonation,
	resumeSession,
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

const Impersonating = Type.Object({
	access_token: Type.String(),
	expires_in: Type.Integer({ description: "Seconds; an impersonation ends after one hour" }),
});

const tags = ["Impersonation"];

export function registerImpersonation(app: App, deps: AuthDeps): void {
	addRoute(app, "POST /admin/impersonate-user", {
		"x-headers": ["Set-Cookie"],
		tags,
		summary: "Act as another user, for at most one hour",
		body: Type.Object({
			user_id: Id(),
			reason: Text(1, 500, { description: "For the audit log" }),
		}),
		guard: { kind: "session", scope: "write", superadmin: true },
		data: Impersonating,
		errors: ["user_not_found", "conflict"],
		handler: async (request, reply) => {
			const { user_id: userId, reason } = request.body;
			const user = await getUser(deps.metadata, userId);
			if (user.role === "superadmin") throw new ServiceError("forbidden", "A superadmin cannot be impersonated");
			if (user.is_active !== 1) throw new ServiceError("conflict", "The user is deactivated");
			const entry = { action: "user.impersonation_started", resourceId: userId, details: { reason } } as const;
			const opening = { user, own: sessionOf(request), client: clientOf(request) };
			const { secrets, returnToken } = await openImpersonation(deps, opening, (trx) =>
				recordAudit(trx, actorOf(request), entry, deps.clock.now()),
			);
			setSessionCookies(reply, secrets, deps.cookieSecure);
			reply.setCookie(NAME, returnToken, { ...form, secure: deps.cookieSecure, maxAge: SECONDS });
			return { access_token: secrets.accessToken, expires_in: ACCESS_TOKEN_SECONDS };
		},
	});
	addRoute(app, "DELETE /admin/impersonate-user", {
		"x-headers": ["Set-Cookie"],
		tags,
		summary: "Stop acting as another user; restores the own session",
		guard: { kind: "session", scope: "write", impersonation: "admitted" },
		message: "The impersonation has ended",
		errors: ["conflict"],
		handler: async (request, reply) => {
			const { userId, sessionId } = sessionOf(request);
			const session = await findSession(deps.metadata, sessionId);
			if (session === undefined || session.impersonator_session_id === null || session.return_hash === null) {
				throw new ServiceError("conflict", "Not impersonating");
			}
			const entryOf = () => ({ action: "user.impersonation_ended", resourceId: userId }) as const;
			const ended = await endSessions(deps, userId, { id: session.id }, { actor: actorOf(request), entryOf });
			// Of two requests at once, one brings the session back, and only to the browser that had it.
			const returnHash = sha256Hex(request.cookies[NAME] ?? "");
			const isOwn = ended > 0 && equalConstantTime(returnHash, session.return_hash);
			const own = isOwn ? await resumeSession(deps, session.impersonator_session_id) : undefined;
			reply.clearCookie(NAME, { ...form, secure: deps.cookieSecure });
			if (own === undefined) clearSessionCookies(reply, deps.cookieSecure);
			else setSessionCookies(reply, own, deps.cookieSecure);
		},
	});
	addRoute(app, "GET /auth/impersonation-status", {
		tags,
		summary: "Whether the session is an impersonation",
		guard: { kind: "session", scope: "read" },
		data: Type.Object({
			is_impersonating: Type.Boolean(),
			impersonated_user_id: Type.Optional(Type.Integer({ description: "Only while impersonating" })),
			impersonated_email: Type.Optional(Type.String({ description: "Only while impersonating" })),
			started_at: Type.Optional(Timestamp()),
		}),
		handler: async (request) => {
			const { userId, sessionId, email } = sessionOf(request);
			return presentStatus(await findSession(deps.metadata, sessionId), { userId, email });
		},
	});
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
