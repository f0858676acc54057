import { Type } from "typebox";
import { cookieNames, sessionOf } from "../../../access/index.ts";
import { fieldError, ServiceError } from "../../../platform/errors/service-error.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { checkOrigin } from "../../../platform/http/check-origin.ts";
import { success } from "../../../platform/http/envelope.ts";
import { errorAnswers } from "../../../platform/http/error-answers.ts";
import { presentRow } from "../../../platform/http/present-row.ts";
import { Message, Nullable, optionalBody, Success, Timestamp } from "../../../platform/http/schemas.ts";
import { timestamp } from "../../../platform/lib/timestamp.ts";
import { actorOf } from "../../auditing/audit-log/index.ts";
import { checkPasswordPolicy, currentUser, getUser, normalizeEmail, Password, User } from "../users/index.ts";
import { requestAddressChange, withdrawAddressChange } from "./address/address-change.ts";
import type { AuthDeps, MailingAuthDeps, ResetDeps, VerifyDeps } from "./deps.ts";
import { linkSent, passwordChangedMail } from "./mails.ts";
import { confirmPassword, forgotPassword, replacePassword, resetPassword } from "./password/replace-password.ts";
import {
	presentRegistration,
	type RegisterDeps,
	register,
	resendVerification,
	verifyEmail,
} from "./registration/register.ts";
import {
	accessToken,
	Email,
	ForgotBody,
	MailedToken,
	NewPassword,
	RegisterBody,
	Registered,
	ResetBody,
	requestLimits,
	SignedInFrom,
	SignInBody,
} from "./schemas.ts";
import { endSessions, refreshSession, signOut } from "./session/change-sessions.ts";
import { clearSessionCookies, setSessionCookies } from "./session/cookies.ts";
import { clientOf, presentAccessToken } from "./session/open-session.ts";
import { answerSignIn, SignInAnswer, signIn, signInOrigin } from "./sign-in/sign-in.ts";
import { type AddressChangeRow, findAddressChange, liveSessions } from "./store.ts";

const tags = ["Authentication"];
const open = { tags, guard: { kind: "public" } } as const;
const reading = { tags, guard: { kind: "session", scope: "read", impersonation: "refused" } } as const;
const writing = { tags, guard: { kind: "session", scope: "write" } } as const;
/** Changes to what somebody signs in with. */
const owning = { tags: ["Users"], guard: { ...writing.guard, impersonation: "refused" } } as const;

const Session = Type.Object({
	id: Type.String(),
	user_agent: Nullable(Type.String()),
	ip_address: Nullable(Type.String()),
	created_at: Timestamp(),
	last_used_at: Timestamp(),
	is_current: Type.Boolean(),
});

const SessionsTerminated = Type.Object({ message: Type.String(), sessions_terminated: Type.Integer() });

const AddressState = Type.Object({
	email: Type.String({ description: "The current address, valid until both addresses have confirmed" }),
	pending_change: Nullable(
		Type.Object({
			new_email: Type.String(),
			is_confirmed_by_current: Type.Boolean(),
			is_confirmed_by_new: Type.Boolean(),
			requested_at: Timestamp(),
			expires_at: Timestamp(),
		}),
	),
});

const ResendBody = Type.Object(
	{ email: Type.Optional(Email({ description: "May be omitted with a session: its own address is used" })) },
	optionalBody,
);

interface RegistrationDeps extends RegisterDeps, VerifyDeps {
	/** True when plans are sold here. */
	readonly requiresSubscription: boolean;
}

/** Registers how users sign in, register, and change what they sign in with. */
export function registerAuth(app: App, deps: RegistrationDeps & ResetDeps): void {
	registerSessions(app, deps);
	registerRegistration(app, deps);
	registerPasswords(app, deps);
	registerAddressChange(app, deps);
}

function registerSessions(app: App, deps: AuthDeps): void {
	addRoute(app, "POST /auth/token", {
		...open,
		"x-headers": ["Set-Cookie"],
		summary: "Sign in",
		body: SignInBody,
		data: SignInAnswer(SignedInFrom),
		errors: ["invalid_credentials", "email_not_verified"],
		handler: async (request, reply) => {
			const outcome = await signIn(deps, request.body, clientOf(request));
			return await answerSignIn(deps, reply, outcome, await signInOrigin(request, outcome));
		},
	});
	addRoute(app, "POST /auth/refresh", {
		...open,
		"x-headers": ["Set-Cookie"],
		summary: "Exchange the refresh cookie for a new access token",
		data: Type.Object(accessToken),
		errors: ["token_expired", "token_invalid", "csrf_failed"],
		handler: async (request, reply) => {
			checkOrigin(request.headers.origin, request.host, deps.publicUrl);
			const secrets = await refreshSession(deps, request.cookies[cookieNames.refresh], request.ip);
			setSessionCookies(reply, secrets, deps.cookieSecure);
			return presentAccessToken(secrets.accessToken);
		},
	});
	addRoute(app, "POST /auth/logout", {
		...writing,
		"x-headers": ["Set-Cookie"],
		summary: "End the current session",
		message: "Signed out",
		handler: async (request, reply) => {
			await signOut(deps, sessionOf(request), actorOf(request));
			clearSessionCookies(reply, deps.cookieSecure);
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
		...reading,
		summary: "The caller's sessions",
		list: ["sessions", Session],
		handler: async (request) => {
			const { userId, sessionId } = sessionOf(request);
			const rows = await liveSessions(deps.metadata, userId, deps.clock.now());
			return rows.map((row) => ({ ...presentRow(Session, row), is_current: row.id === sessionId }));
		},
	});
	addRoute(app, "DELETE /auth/sessions/:session_id", {
		...writing,
		"x-headers": ["Set-Cookie"],
		summary: "Revoke one session",
		params: Type.Object({ session_id: Type.String({ format: "uuid" }) }),
		message: "Session revoked",
		handler: async (request, reply) => {
			const { userId, sessionId: currentId } = sessionOf(request);
			const sessionId = request.params.session_id.toLowerCase();
			const entryOf = () => ({ action: "session.revoked", resourceId: sessionId }) as const;
			const ended = await endSessions(deps, userId, { id: sessionId }, { actor: actorOf(request), entryOf });
			if (ended === 0) throw new ServiceError("not_found", "Session not found");
			if (sessionId === currentId) clearSessionCookies(reply, deps.cookieSecure);
		},
	});
	addRoute(app, "DELETE /auth/sessions", {
		...writing,
		"x-headers": ["Set-Cookie"],
		summary: "Revoke all sessions, the current one too unless `include_current` is `false`",
		querystring: Type.Object({
			include_current: Type.Boolean({ default: true, description: "`false` keeps the session of the request" }),
		}),
		data: SessionsTerminated,
		handler: async (request, reply) => {
			const { userId, sessionId } = sessionOf(request);
			const { include_current: includeCurrent } = request.query;
			const which = { except: includeCurrent ? undefined : sessionId };
			const entryOf = (sessions_terminated: number) =>
				({ action: "session.revoked", details: { sessions_terminated } }) as const;
			const sessions_terminated = await endSessions(deps, userId, which, { actor: actorOf(request), entryOf });
			if (includeCurrent) clearSessionCookies(reply, deps.cookieSecure);
			return { message: "Sessions revoked", sessions_terminated };
		},
	});
}

function registerRegistration(app: App, deps: RegistrationDeps): void {
	app.route({
		method: "POST",
		url: "/auth/register",
		schema: {
			tags,
			summary: "Register, where `REGISTRATION` is open; known addresses get the same response",
			body: RegisterBody,
			response: { 200: Success(Registered), ...errorAnswers("forbidden") },
		},
		config: { guard: open.guard, limit: requestLimits.registration },
		preHandler: async (request) => {
			const { email, password, accept_terms: acceptsTerms } = request.body;
			if (!acceptsTerms) throw new ServiceError("bad_request", "The terms must be accepted");
			checkPasswordPolicy(password, normalizeEmail(email));
		},
		handler: async (request) => {
			const { email, name, password } = request.body;
			await register(deps, { email, name, password }, request.ip);
			return success(presentRegistration({ email: normalizeEmail(email), name }, deps.requiresSubscription));
		},
	});
	addRoute(app, "POST /email/verify", {
		...open,
		"x-headers": ["Set-Cookie"],
		summary: "Confirm an email address with the mailed token, and sign in",
		body: Type.Object({ token: MailedToken() }),
		data: SignInAnswer({ message: Type.String(), verified: Type.Literal(true) }),
		handler: async (request, reply) => {
			const outcome = await verifyEmail(deps, { token: request.body.token }, clientOf(request));
			return answerSignIn(deps, reply, outcome, { message: "The email address is confirmed", verified: true as const });
		},
	});
	addRoute(app, "POST /email/resend-verification", {
		tags,
		summary: "Mail the confirmation link again",
		body: ResendBody,
		guard: { kind: "public", caller: "optional" },
		limit: requestLimits.verificationMail,
		data: Message,
		handler: async (request) => {
			const { principal, body } = request;
			const email = body.email ?? (principal.kind === "session" ? principal.email : undefined);
			if (email === undefined) throw fieldError("body.email", "is required", "missing");
			await resendVerification(deps, email);
			return { message: linkSent(deps.mailer, "is not confirmed yet") };
		},
	});
	addRoute(app, "GET /email/verification-status", {
		tags,
		summary: "Whether the caller's email address is confirmed",
		guard: { kind: "session", scope: "read" },
		data: Type.Object({ verified: Type.Boolean(), email: Type.String() }),
		handler: async (request) => {
			const user = await getUser(deps.metadata, request.caller.userId);
			return { verified: user.email_verified_at !== null, email: user.email };
		},
	});
}

function registerPasswords(app: App, deps: ResetDeps): void {
	addRoute(app, "POST /auth/forgot-password", {
		...open,
		summary: "Mail a link to reset the password; all addresses get the same response",
		body: ForgotBody,
		limit: requestLimits.resetMail,
		data: Message,
		handler: async (request) => {
			await forgotPassword(deps, request.body.email);
			return { message: linkSent(deps.mailer, "has an account") };
		},
	});
	addRoute(app, "POST /auth/reset-password", {
		...open,
		summary: "Set a new password with the mailed token; ends all sessions and revokes connected apps",
		body: ResetBody,
		data: SessionsTerminated,
		errors: ["conflict"],
		handler: async (request) => {
			const { token, new_password: newPassword } = request.body;
			const ended = await resetPassword(deps, { token, newPassword }, request.ip);
			return { message: "The password was changed", sessions_terminated: ended };
		},
	});
	addRoute(app, "POST /users/me/password", {
		...owning,
		summary: "Change the caller's password; ends all other sessions",
		body: Type.Object({ current_password: Password(), new_password: NewPassword() }),
		data: SessionsTerminated,
		errors: ["conflict"],
		handler: async (request) => {
			const { userId, sessionId } = sessionOf(request);
			const user = await getUser(deps.metadata, userId);
			const { current_password: password, new_password: newPassword } = request.body;
			await confirmPassword(deps, user, { password, ip: request.ip }, "The current password is wrong");
			const ended = await replacePassword(deps, user, newPassword, {
				actor: actorOf(request),
				action: "user.password_changed",
				field: "body.new_password",
				keepSession: sessionId,
				alongside: (trx) => deps.mailer.queue(trx, { ...passwordChangedMail(deps.rootUrl), to: user.email }),
			});
			return { message: "The password was changed", sessions_terminated: ended };
		},
	});
}

function registerAddressChange(app: App, deps: MailingAuthDeps): void {
	const url = "/users/me/email";
	addRoute(app, `GET ${url}`, {
		tags: owning.tags,
		summary: "The caller's address, and its pending change",
		guard: reading.guard,
		data: AddressState,
		handler: async (request) => {
			const user = await getUser(deps.metadata, request.caller.userId);
			return presentAddress(user.email, await findAddressChange(deps.metadata, user.id, deps.clock.now()));
		},
	});
	addRoute(app, `POST ${url}`, {
		...owning,
		summary: "Change the caller's address; takes effect once both addresses have confirmed by mail",
		body: Type.Object({ new_email: Email(), password: Password() }),
		limit: requestLimits.addressChange,
		data: Type.Object({ ...AddressState.properties, message: Type.String() }),
		handler: async (request) => {
			const { userId, sessionId } = sessionOf(request);
			const user = await getUser(deps.metadata, userId);
			const { new_email: newEmail, password } = request.body;
			const wish = { user, sessionId, newEmail, password, ip: request.ip };
			const message = "A mail with a link is on its way to both addresses; nothing changes until both have confirmed";
			return { ...presentAddress(user.email, await requestAddressChange(deps, wish, actorOf(request))), message };
		},
	});
	addRoute(app, `DELETE ${url}`, {
		...owning,
		summary: "Cancel a pending change of the address",
		message: "The change was cancelled",
		errors: ["not_found"],
		handler: (request) => withdrawAddressChange(deps, request.caller.userId, actorOf(request)),
	});
}

const presentAddress = (email: string, change: AddressChangeRow | undefined) => ({
	email,
	pending_change:
		change === undefined
			? null
			: {
					new_email: change.new_email,
					is_confirmed_by_current: change.current_confirmed_at !== null,
					is_confirmed_by_new: change.new_confirmed_at !== null,
					requested_at: timestamp(change.created_at),
					expires_at: timestamp(change.expires_at),
				},
});
