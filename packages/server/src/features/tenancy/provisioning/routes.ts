import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import type { Guard } from "../../../access/index.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { success } from "../../../platform/http/envelope.ts";
import { errorAnswers } from "../../../platform/http/error-answers.ts";
import { hourly, type RouteLimit } from "../../../platform/http/rate-limit/route-limit.ts";
import { ErrorRef, Name, Success } from "../../../platform/http/schemas.ts";
import { sha256Hex } from "../../../platform/lib/crypto.ts";
import { HOUR_MS } from "../../../platform/lib/durations.ts";
import { timestamp, timestampOrNull } from "../../../platform/lib/timestamp.ts";
import { answerSignIn, clientOf, SignInAnswer } from "../../people/auth/index.ts";
import { Password } from "../../people/users/index.ts";
import { planOf } from "../organizations/index.ts";
import { presentPixel } from "../sites/index.ts";
import { claimSite, type ProvisioningDeps, resendClaim } from "./claim-site.ts";
import { type Channel, findChannel } from "./provision-keys.ts";
import {
	PROVISIONED_PLAN,
	ProvisionBody,
	type Provisioned,
	provisionSite,
	readProvisionBody,
} from "./provision-site.ts";
import type { ProvisionKeyRow } from "./store.ts";

const KeyHeader = Type.Object({
	"x-provision-key": Type.Optional(
		Type.String({ description: "Identifies the channel that creates the site; may be public" }),
	),
});

const ProvisionedSite = Type.Object({
	success: Type.Literal(true),
	account_id: Type.String(),
	snippet: Type.String(),
	api_key: Type.String({ description: "Reads reports and settings; shown only in this response, and mailed" }),
	dashboard_url: Type.String(),
	claim_url: Type.String({ description: "Sends the claim mail again; only the mail has the claim link" }),
	free_quota: Type.Object({ events_total: Type.Integer() }),
	next_steps: Type.Array(Type.String()),
});

const token = Type.String({ minLength: 20, maxLength: 128, pattern: "^[A-Za-z0-9_-]+$" });

export const ClaimBody = Type.Object({ token, password: Password(), name: Type.Optional(Name()) });

export const ResendBody = Type.Object({ token });

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
				...errorAnswers("bad_request", "invalid_domain", "invalid_timezone", "invalid_input", "provision_unavailable"),
				401: { description: "`unauthorized`: `provision_key_required` or `invalid_provision_key`", ...ErrorRef },
			},
		},
		config: { guard: open, limit: [hourly("provision", 5), byKey] },
		// Before the body is read, and before it is checked: the order of the refusals is promised.
		onRequest: async (request) => {
			request.provisionChannel = await channelOf(deps, request);
			if (!deps.provisioningEnabled) throw new ServiceError("service_unavailable", "provisioning_disabled");
		},
		preValidation: async (request) => {
			request.body = readProvisionBody(request.body);
		},
		handler: async (request) => {
			const { provisionChannel: from, ip } = request;
			if (from === null) throw new Error("A provision key was not looked at");
			const provisioned = await provisionSite(deps, request.body, { channel: from.channel, ip });
			const pixelUrl = deps.publicUrl ?? `${request.protocol}://${request.host}`;
			return success(presentProvisioned(provisioned, { rootUrl: deps.rootUrl, pixelUrl }));
		},
	});
	addRoute(app, "POST /provision/claim", {
		"x-headers": ["Set-Cookie"],
		tags,
		summary: "Choose a password with the mailed link, and sign in",
		body: ClaimBody,
		guard: open,
		data: SignInAnswer({ message: Type.String(), verified: Type.Literal(true) }),
		handler: async (request, reply) => {
			const outcome = await claimSite(deps, request.body, clientOf(request));
			return answerSignIn(deps, reply, outcome, { message: "The site is now yours", verified: true as const });
		},
	});
	addRoute(app, "POST /provision/claim/resend", {
		tags,
		summary: "Have the claim mail sent again",
		body: ResendBody,
		guard: open,
		limit: claimResendLimits,
		message: "Email sent",
		handler: (request) => resendClaim(deps, request.body.token, request.ip),
	});
}

function channelOf(deps: ProvisioningDeps, request: FastifyRequest): Promise<Channel> {
	const header = request.headers["x-provision-key"];
	return findChannel(deps, Array.isArray(header) ? header[0] : header);
}

function presentProvisioned(
	{ site, apiKey, resendToken }: Provisioned,
	{ rootUrl, pixelUrl }: { rootUrl: string; pixelUrl: string },
) {
	return {
		success: true as const,
		account_id: site.id,
		snippet: presentPixel(site.id, pixelUrl).script_tag,
		api_key: apiKey,
		dashboard_url: `${rootUrl}/sites/${site.id}`,
		claim_url: `${rootUrl}/claim?resend=${resendToken}`,
		free_quota: { events_total: planOf(PROVISIONED_PLAN).lifetimeEvents ?? 0 },
		next_steps: [
			"Put the snippet into the <head> of every page.",
			"Open the mail that was sent to the address and choose a password.",
			`Ask for reports with the header X-API-Key, for example GET ${rootUrl}/api/v1/stats/overview?site_id=${site.id}`,
		],
	};
}

/** A provision key as operators see it. */
export const presentProvisionKey = (row: ProvisionKeyRow) => ({
	id: row.id,
	channel: row.channel,
	key_prefix: row.key_prefix,
	is_active: row.revoked_at === null,
	created_at: timestamp(row.created_at),
	revoked_at: timestampOrNull(row.revoked_at),
});
