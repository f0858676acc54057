import type { FastifyReply, FastifyRequest } from "fastify";
import type { Guard } from "../../../access/index.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { success } from "../../../platform/http/envelope.ts";
import { hourly, type RouteLimit } from "../../../platform/http/rate-limit/route-limit.ts";
import { ErrorRef, Message, Success } from "../../../platform/http/schemas.ts";
import { sha256Hex } from "../../../platform/lib/crypto.ts";
import { HOUR_MS } from "../../../platform/lib/durations.ts";
import { answerSignIn, clientOf, SignInAnswer } from "../../people/auth/index.ts";
import { claimSite, resendClaim } from "./claim-site.ts";
import type { ProvisioningDeps } from "./deps.ts";
import { presentProvisioned } from "./present.ts";
import { type Channel, findChannel } from "./provision-keys.ts";
import { provisionSite } from "./provision-site.ts";
import { type ProvisionInput, readProvisionBody } from "./read-provision-body.ts";
import { ClaimBody, Claimed, KeyHeader, ProvisionBody, ProvisionedSite, ResendBody } from "./schemas.ts";

declare module "fastify" {
	interface FastifyRequest {
		/** Owner of the request's provision key; null on every other route. */
		provisionChannel: Channel | null;
	}
}

const tags = ["Provisioning"];
const open: Guard = { kind: "public" };
const byKey: RouteLimit = {
	name: "provision-key",
	max: 100,
	windowMs: HOUR_MS,
	by: ({ provisionChannel }) => provisionChannel?.keyHash,
};
const resendsByToken: RouteLimit = {
	name: "provision-resend-token",
	max: 3,
	windowMs: HOUR_MS,
	by: ({ body }) => sha256Hex((body as { token: string }).token),
};

/** Limits of having the claim mail sent again, whichever way it is asked. */
export const claimResendLimits = [hourly("provision-resend", 3), resendsByToken];

/** Routes by which a channel sets up sites for others, and by which those claim them. */
export function registerProvisioning(app: App, deps: ProvisioningDeps): void {
	registerProvision(app, deps);
	registerClaim(app, deps);
}

function registerProvision(app: App, deps: ProvisioningDeps): void {
	app.decorateRequest("provisionChannel", null);
	app.route({
		method: "POST",
		url: "/provision",
		schema: {
			tags,
			summary: "Create a site for an email address, with a provision key",
			headers: KeyHeader,
			body: ProvisionBody,
			response: {
				200: Success(ProvisionedSite),
				400: {
					description: "`bad_request`, `invalid_domain`, `invalid_timezone`, `invalid_input`",
					...ErrorRef,
				},
				401: { description: "`unauthorized`: `provision_key_required` or `invalid_provision_key`", ...ErrorRef },
				409: { description: "`provision_unavailable`", ...ErrorRef },
			},
		},
		config: { guard: open, limit: [hourly("provision", 5), byKey] },
		// Before the body is read, and before it is checked: the order of the refusals is promised.
		onRequest: async (request) => {
			request.provisionChannel = await channelOf(deps, request);
			if (!deps.provisioningEnabled)
				throw new ServiceError("service_unavailable", { message: "provisioning_disabled" });
		},
		preValidation: async (request) => {
			request.body = readProvisionBody(request.body) as typeof request.body;
		},
		handler: async (request, reply) => {
			const { provisionChannel: from, ip } = request;
			if (from === null) throw new Error("A provision key was not looked at");
			const input = request.body as ProvisionInput;
			const provisioned = await provisionSite(deps, input, { channel: from.channel, ip });
			withoutStore(reply);
			const pixelUrl = deps.publicUrl ?? `${request.protocol}://${request.host}`;
			return success(presentProvisioned(provisioned, { rootUrl: deps.rootUrl, pixelUrl }));
		},
	});
}

function registerClaim(app: App, deps: ProvisioningDeps): void {
	addRoute(app, "POST /provision/claim", {
		"x-headers": ["Set-Cookie"],
		tags,
		summary: "Choose a password with the mailed link, and sign in",
		body: ClaimBody,
		guard: open,
		data: SignInAnswer(Claimed),
		handler: async (request, reply) => {
			const outcome = await claimSite(deps, request.body, clientOf(request));
			const more = { message: "The site is now yours", verified: true as const };
			return await answerSignIn(deps, reply, outcome, more);
		},
	});
	addRoute(app, "POST /provision/claim/resend", {
		tags,
		summary: "Have the claim mail sent again",
		body: ResendBody,
		guard: open,
		limit: claimResendLimits,
		data: Message,
		handler: async (request, reply) => {
			await resendClaim(deps, request.body.token, request.ip);
			withoutStore(reply);
			return { message: "Email sent" };
		},
	});
}

function channelOf(deps: ProvisioningDeps, request: FastifyRequest): Promise<Channel> {
	const header = request.headers["x-provision-key"];
	return findChannel(deps, Array.isArray(header) ? header[0] : header);
}

const withoutStore = (reply: FastifyReply) => reply.header("cache-control", "no-store");
