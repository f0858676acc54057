import type { FastifyRequest } from "fastify";
import { ServiceError } from "../../../../platform/errors/service-error.ts";
import { addRoute } from "../../../../platform/http/add-route.ts";
import type { App } from "../../../../platform/http/app.ts";
import { success } from "../../../../platform/http/envelope.ts";
import { errorAnswers } from "../../../../platform/http/error-answers.ts";
import { Success } from "../../../../platform/http/schemas.ts";
import { actorOf } from "../../../auditing/audit-log/index.ts";
import { clientOf, presentRegistration, requestLimits, setSessionCookies } from "../../../people/auth/index.ts";
import { checkPasswordPolicy, normalizeEmail } from "../../../people/users/index.ts";
import { presentOnboarded, presentRequest } from "../clients/present.ts";
import type { OAuthDeps } from "../deps.ts";
import { ConsentRequest, Decided, DecisionBody, Onboarded, OnboardingBody, RequestParams } from "../schemas.ts";
import { decide } from "./decide.ts";
import { type OnboardingDeps, onboard } from "./onboard.ts";
import { findRequest, mayDecideOn, sitesToChoose } from "./pending-request.ts";

const tags = ["Connections"];

/** Dependencies of the routes on decisions. */
export interface ConsentDeps extends OAuthDeps, OnboardingDeps {
	/** True when plans are sold here. */
	readonly requiresSubscription: boolean;
}

/** Routes for the page on which a user decides about an app. */
export function registerConsent(app: App, deps: ConsentDeps): void {
	registerReading(app, deps);
	registerDeciding(app, deps);
	registerOnboarding(app, deps);
}

function registerReading(app: App, deps: ConsentDeps): void {
	addRoute(app, "GET /oauth/consent/:request_id", {
		tags,
		summary: "A pending authorization request; its id is the secret that opens it",
		params: RequestParams,
		guard: { kind: "public", caller: "optional", boundSession: "admitted" },
		data: ConsentRequest,
		handler: async (request) => {
			const { request_id: requestId } = request.params;
			const pending = await findRequest(deps, requestId);
			if (pending === undefined)
				throw new ServiceError("not_found", { message: "The request has expired or was already answered" });
			return presentRequest(requestId, pending, await viewerOf(deps, request, requestId));
		},
	});
}

/** The user who views a request and their choices; undefined if their session is not for it. */
async function viewerOf(deps: ConsentDeps, request: FastifyRequest, requestId: string) {
	const { principal } = request;
	if (principal.kind !== "session" || !mayDecideOn(requestId, principal)) return { user: null, sites: [] };
	const sites = await sitesToChoose(deps, principal.userId, (siteId) => request.isSiteOpenHere(siteId));
	return { user: { id: principal.userId, email: principal.email }, sites };
}

function registerDeciding(app: App, deps: ConsentDeps): void {
	addRoute(app, "POST /oauth/consent/:request_id/decision", {
		tags,
		summary: "Approve or deny an authorization request",
		params: RequestParams,
		body: DecisionBody,
		guard: { kind: "session", scope: "write", boundSession: "admitted", impersonation: "refused" },
		data: Decided,
		handler: async (request, reply) => {
			const { decision, site_id: siteId } = request.body;
			reply.header("cache-control", "no-store");
			const redirectTo = await decide(deps, {
				requestId: request.params.request_id,
				decision,
				siteId,
				caller: request.caller,
				actor: actorOf(request),
				refuseShutSite: (id) => request.refuseShutSite(id),
			});
			return { redirect_to: redirectTo };
		},
	});
}

function registerOnboarding(app: App, deps: ConsentDeps): void {
	app.route({
		method: "POST",
		url: "/oauth/onboarding",
		schema: {
			"x-headers": ["Set-Cookie"],
			tags,
			summary: "Sign up during an authorization request",
			body: OnboardingBody,
			response: { 200: Success(Onboarded), ...errorAnswers("forbidden", "not_found", "conflict") },
		},
		config: { guard: { kind: "public" }, limit: requestLimits.registration },
		preHandler: async ({ body }) => {
			if (!body.accept_terms) throw new ServiceError("bad_request", { message: "The terms must be accepted" });
			checkPasswordPolicy(body.password, normalizeEmail(body.email));
		},
		handler: async (request, reply) => {
			const { email, name, password, request_id: requestId, site_name: siteName, domain } = request.body;
			const input = { requestId, email, name, password, siteName, domain, acceptsTerms: request.body.accept_terms };
			const onboarded = await onboard(deps, input, clientOf(request));
			reply.header("cache-control", "no-store");
			if (onboarded.session !== undefined) setSessionCookies(reply, onboarded.session, deps.cookieSecure);
			const registration = presentRegistration({ email: normalizeEmail(email), name }, deps.requiresSubscription);
			return success({ ...registration, ...presentOnboarded(onboarded) });
		},
	});
}
