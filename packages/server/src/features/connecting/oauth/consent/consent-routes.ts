import type { FastifyRequest } from "fastify";
import { type Static, Type } from "typebox";
import { ServiceError } from "../../../../platform/errors/service-error.ts";
import { addRoute } from "../../../../platform/http/add-route.ts";
import type { App } from "../../../../platform/http/app.ts";
import { success } from "../../../../platform/http/envelope.ts";
import { errorAnswers } from "../../../../platform/http/error-answers.ts";
import { Nullable, OneOf, Success, Timestamp } from "../../../../platform/http/schemas.ts";
import { timestamp } from "../../../../platform/lib/timestamp.ts";
import type { Metadata } from "../../../../platform/metadata/metadata.ts";
import { userActor } from "../../../auditing/audit-log/index.ts";
import {
	type Client,
	clientOf,
	openSession,
	presentRegistration,
	RegisterBody,
	type RegisterDeps,
	Registered,
	register,
	requestLimits,
	setSessionCookies,
} from "../../../people/auth/index.ts";
import { checkPasswordPolicy, normalizeEmail, type UserRow } from "../../../people/users/index.ts";
import { addSite, changeSites, normalizeDomain, type SiteDeps } from "../../../tenancy/sites/index.ts";
import { redirectHost } from "../clients/client.ts";
import type { OAuthDeps } from "../deps.ts";
import { oauthScopes } from "../protocol/parameters.ts";
import { decide, findRequest, mayDecideOn, requestGone, requestHash, sitesToChoose } from "./decide.ts";

export interface OnboardingDeps extends RegisterDeps, SiteDeps {}

const OnboardingBody = Type.Object({
	request_id: Type.String({ minLength: 1, maxLength: 200 }),
	...RegisterBody.properties,
	site_name: Type.Optional(Type.String({ maxLength: 255, description: "Creates a site when given" })),
	domain: Type.Optional(Type.String({ maxLength: 255 })),
});
type Onboarding = Static<typeof OnboardingBody>;

/**
 * Signs somebody up while the request of an app waits, with a site if it has a name. The session may decide on this request
 * and nothing else, until the address is confirmed. Undefined for a known address, which only gets a mail.
 * Throws `not_found` for a request that is not open, `forbidden` and
 * `validation_error` as `register` does, and `invalid_domain`.
 */
export async function onboard(deps: OnboardingDeps, input: Onboarding, client: Client) {
	if ((await findRequest(deps, input.request_id)) === undefined) throw requestGone();
	// Before the address is looked at, so that a fault tells nothing of it.
	if (input.domain !== undefined && input.domain !== "") normalizeDomain(input.domain);
	const user = await register(deps, input, client.ip, {
		inTransaction: (work) => changeSites(deps, [], work),
		alongside: (trx, made) => addFirstSite({ ...deps, metadata: trx }, made, input, client.ip),
	});
	if (user === undefined) return undefined;
	const { secrets } = await openSession(deps, user, client, { boundRequest: requestHash(input.request_id) });
	return { userId: user.id, session: secrets };
}

async function addFirstSite(
	deps: Omit<SiteDeps, "sites"> & { readonly metadata: Metadata },
	user: UserRow,
	{ site_name: siteName, domain }: Onboarding,
	ip: string,
): Promise<void> {
	if (siteName === undefined || siteName.trim() === "") return;
	const creator = { userId: user.id, name: user.name, isSuperadmin: false, actor: userActor(user.id, ip) };
	const domains = domain === undefined || domain === "" ? [] : [domain];
	await addSite(deps, creator, { name: siteName, domains, timezone: "UTC", currency: "EUR", orgId: null });
}

const RequestParams = Type.Object({ request_id: Type.String() });

const ConsentRequest = Type.Object({
	request_id: Type.String(),
	client: Type.Object({
		client_id: Type.String(),
		client_name: Type.String({ description: "Chosen by the author of the app" }),
		redirect_host: Type.String({ description: "Redirect target: a host, or the private scheme of an app" }),
	}),
	scopes: Type.Array(OneOf(oauthScopes)),
	resource: Nullable(Type.String(), { description: "Resource that the tokens will be bound to" }),
	expires_at: Timestamp(),
	user: Nullable(Type.Object({ id: Type.Integer(), email: Type.String() }), { description: "The signed-in user" }),
	sites: Type.Array(Type.Object({ id: Type.String(), name: Type.String() }), {
		description: "The user's active sites",
	}),
});

const DecisionBody = Type.Object({
	decision: OneOf(["approve", "deny"]),
	site_id: Type.Optional(
		Type.String({ maxLength: 64, description: "The site that the app may read; required with `approve`" }),
	),
});

const Decided = Type.Object({ redirect_to: Type.String({ description: "Address to send the browser to" }) });

const tags = ["Connections"];

export interface ConsentDeps extends OAuthDeps, OnboardingDeps {
	/** True when plans are sold here. */
	readonly requiresSubscription: boolean;
}

export function registerConsent(app: App, deps: ConsentDeps): void {
	addRoute(app, "GET /oauth/consent/:request_id", {
		tags,
		summary: "A pending authorization request; its id is the secret that opens it",
		params: RequestParams,
		guard: { kind: "public", caller: "optional", boundSession: "admitted" },
		data: ConsentRequest,
		handler: async (request) => {
			const { request_id: requestId } = request.params;
			const pending = await findRequest(deps, requestId);
			if (pending === undefined) throw requestGone();
			const { client, scopes, resource, expiresAt } = pending;
			return {
				request_id: requestId,
				client: {
					client_id: client.clientId,
					client_name: client.clientName,
					redirect_host: redirectHost(client.redirectUri),
				},
				scopes,
				resource,
				expires_at: timestamp(expiresAt),
				...(await viewerOf(deps, request, requestId)),
			};
		},
	});
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
			const { request_id: requestId } = request.params;
			const decided = { requestId, decision, siteId, caller: request.caller };
			return { redirect_to: await decide(deps, request, decided) };
		},
	});
	app.route({
		method: "POST",
		url: "/oauth/onboarding",
		schema: {
			"x-headers": ["Set-Cookie"],
			tags,
			summary: "Sign up during an authorization request",
			body: OnboardingBody,
			response: { 200: Success(Registered), ...errorAnswers("forbidden", "not_found", "conflict") },
		},
		config: { guard: { kind: "public" }, limit: requestLimits.registration },
		preHandler: async ({ body }) => {
			if (!body.accept_terms) throw new ServiceError("bad_request", "The terms must be accepted");
			checkPasswordPolicy(body.password, normalizeEmail(body.email));
		},
		handler: async (request, reply) => {
			const { email, name } = request.body;
			const onboarded = await onboard(deps, request.body, clientOf(request));
			reply.header("cache-control", "no-store");
			const registration = presentRegistration({ email: normalizeEmail(email), name }, deps.requiresSubscription);
			if (onboarded === undefined) return success(registration);
			setSessionCookies(reply, onboarded.session, deps.cookieSecure);
			return success({
				...registration,
				user_id: onboarded.userId,
				session_created: true,
				message: "You are signed in for this request. Confirm your address with the link in the email",
			});
		},
	});
}

/** The user who views a request and their choices; undefined if their session is not for it. */
async function viewerOf(deps: ConsentDeps, request: FastifyRequest, requestId: string) {
	const { principal } = request;
	if (principal.kind !== "session" || !mayDecideOn(requestId, principal)) return { user: null, sites: [] };
	const sites = await sitesToChoose(deps, principal.userId, request);
	return { user: { id: principal.userId, email: principal.email }, sites };
}
