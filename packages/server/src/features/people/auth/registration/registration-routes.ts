import type { Guard } from "../../../../access/index.ts";
import { fieldError, ServiceError } from "../../../../platform/errors/service-error.ts";
import { addRoute } from "../../../../platform/http/add-route.ts";
import type { App } from "../../../../platform/http/app.ts";
import { success } from "../../../../platform/http/envelope.ts";
import { errorAnswers } from "../../../../platform/http/error-answers.ts";
import { Message, Success } from "../../../../platform/http/schemas.ts";
import { checkPasswordPolicy, getUser, normalizeEmail } from "../../users/index.ts";
import type { VerifyDeps } from "../deps.ts";
import { linkSent } from "../mails.ts";
import { requestLimits } from "../request-limits.ts";
import { RegisterBody, Registered, ResendBody, VerificationStatus, Verified, VerifyBody } from "../schemas.ts";
import { clientOf } from "../session/open-session.ts";
import { answerSignIn, SignInAnswer } from "../sign-in/sign-in.ts";
import { presentRegistration, type RegisterDeps, register } from "./register.ts";
import { resendVerification, verifyEmail } from "./verify-email.ts";

const tags = ["Authentication"];
const open: Guard = { kind: "public" };

interface RegistrationDeps extends RegisterDeps, VerifyDeps {
	/** True when plans are sold here. */
	readonly requiresSubscription: boolean;
}

export function registerRegistration(app: App, deps: RegistrationDeps): void {
	app.route({
		method: "POST",
		url: "/auth/register",
		schema: {
			tags,
			summary: "Register, where `REGISTRATION` is open; known addresses get the same response",
			body: RegisterBody,
			response: { 200: Success(Registered), ...errorAnswers("forbidden") },
		},
		config: { guard: open, limit: requestLimits.registration },
		preHandler: async (request) => {
			const { email, password, accept_terms: acceptsTerms } = request.body;
			if (!acceptsTerms) throw new ServiceError("bad_request", { message: "The terms must be accepted" });
			checkPasswordPolicy(password, normalizeEmail(email));
		},
		handler: async (request) => {
			const { email, name, password } = request.body;
			await register(deps, { email, name, password }, request.ip);
			return success(presentRegistration({ email: normalizeEmail(email), name }, deps.requiresSubscription));
		},
	});
	addRoute(app, "POST /email/verify", {
		"x-headers": ["Set-Cookie"],
		tags,
		summary: "Confirm an email address with the mailed token, and sign in",
		body: VerifyBody,
		guard: open,
		data: SignInAnswer(Verified),
		handler: async (request, reply) => {
			const outcome = await verifyEmail(deps, { token: request.body.token }, clientOf(request));
			const more = { message: "The email address is confirmed", verified: true as const };
			return await answerSignIn(deps, reply, outcome, more);
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
		data: VerificationStatus,
		handler: async (request) => {
			const user = await getUser(deps.metadata, request.caller.userId);
			return { verified: user.email_verified_at !== null, email: user.email };
		},
	});
}
