import type { Static } from "typebox";
import { AccountQuery } from "../../../../access/index.ts";
import { addRoute } from "../../../../platform/http/add-route.ts";
import type { App } from "../../../../platform/http/app.ts";
import type { RouteLimit } from "../../../../platform/http/rate-limit/route-limit.ts";
import { ErrorRef } from "../../../../platform/http/schemas.ts";
import { DAY_MS } from "../../../../platform/lib/durations.ts";
import { timestamp } from "../../../../platform/lib/timestamp.ts";
import { recordAudit } from "../../../auditing/audit-log/index.ts";
import { describedEvents } from "../../domain-events/index.ts";
import { registerDeliveryLog, registerReplays } from "../deliveries/delivery-routes.ts";
import type { WebhookDeps } from "../deps.ts";
import { lastFour, newSecret } from "../sending/sign-payload.ts";
import { resealEndpoints } from "../sending/upkeep.ts";
import {
	changeEndpoint,
	createEndpoint,
	type EndpointChange,
	type EndpointChanges,
	removeEndpoint,
} from "./change-endpoint.ts";
import { endpointNotFound, getEndpoint, listEndpoints, lockEndpoint, updateEndpoint } from "./endpoints-store.ts";
import { endpointStats, presentEndpoint, presentStats, presentTest } from "./present.ts";
import { changeOf, reader, viewingOf, writer } from "./request-facts.ts";
import {
	ChangeEndpointBody,
	CreatedEndpoint,
	CreateEndpointBody,
	Endpoint,
	EndpointList,
	EndpointParams,
	EndpointStats,
	EventTypeList,
	ListQuery,
	RotatedSecret,
	StatsQuery,
	TestAnswer,
	TestBody,
} from "./schemas.ts";
import { sealValue } from "./sealed-values.ts";
import { testEndpoint } from "./test-endpoint.ts";

const PREVIOUS_LIVES_MS = DAY_MS;

/** A secret that was just made. */
interface Rotation {
	readonly secret: string;
	readonly version: number;
	readonly previousExpiresAt: number;
}

/** Gives an endpoint a new secret, valid at once; the one before signs beside it for 24 hours, older ones never again. */
async function rotateSecret(deps: WebhookDeps, { siteId, actor }: EndpointChange, id: string): Promise<Rotation> {
	const now = deps.clock.now();
	const secret = newSecret();
	return deps.metadata.transaction().execute(async (trx) => {
		const before = await lockEndpoint(trx, siteId, id);
		if (before === undefined) throw endpointNotFound();
		const version = before.secret_version + 1;
		const previousExpiresAt = now + PREVIOUS_LIVES_MS;
		await updateEndpoint(trx, id, {
			sealed_secret: sealValue(deps, id, secret),
			secret_last_4: lastFour(secret),
			secret_version: version,
			sealed_previous_secret: before.sealed_secret,
			previous_secret_expires_at: previousExpiresAt,
			updated_at: now,
		});
		const details = { secret_version: [before.secret_version, version] };
		await recordAudit(trx, actor, { action: "webhook.secret_rotated", resourceId: id, siteId, details }, now);
		return { secret, version, previousExpiresAt };
	});
}

/** A new endpoint as its user describes it. */
const parseEndpoint = (body: Static<typeof CreateEndpointBody>) => ({
	name: body.name,
	url: body.url,
	eventTypes: body.event_types,
	headers: body.headers ?? {},
	description: body.description || null,
});

/** The fields to change. */
const parseChanges = (body: Static<typeof ChangeEndpointBody>): EndpointChanges => ({
	...(body.name !== undefined && { name: body.name }),
	...(body.url !== undefined && { url: body.url }),
	...(body.event_types !== undefined && { eventTypes: body.event_types }),
	...(body.headers !== undefined && { headers: body.headers }),
	...(body.description !== undefined && { description: body.description || null }),
	...(body.is_active !== undefined && { isActive: body.is_active }),
});

const tags = ["Webhooks"];
const ofEndpoint = { tags, params: EndpointParams, querystring: AccountQuery } as const;
/** Each waits for an answer of any server that the endpoint names. */
const testing: RouteLimit = {
	name: "webhook-test",
	max: 30,
	windowMs: 600_000,
	by: (request) => request.site.id,
};
const tooMany = { description: "`conflict`: the site has 20 endpoints", ...ErrorRef };

/** Routes on webhooks: the endpoints of a site, their secrets, what was sent to them, and sending it again. */
export function registerWebhooks(app: App, deps: WebhookDeps): void {
	app.onStoreReady(async () => {
		const endpoints = await resealEndpoints(deps);
		if (endpoints === 0) return;
		app.log.warn({ endpoints }, "Webhooks were sealed with another SECRET_KEY: give it as SECRET_KEY_PREVIOUS");
	});
	registerReads(app, deps);
	registerFacts(app, deps);
	registerWrites(app, deps);
	registerRemoval(app, deps);
	registerTrials(app, deps);
	registerDeliveryLog(app, deps);
	registerReplays(app, deps);
}

function registerReads(app: App, deps: WebhookDeps): void {
	addRoute(app, "GET /webhooks", {
		tags,
		summary: "Webhook endpoints",
		querystring: ListQuery,
		guard: reader,
		answer: EndpointList,
		handler: async (request) => {
			const { include_inactive: includeInactive, limit, offset } = request.query;
			const { rows, total } = await listEndpoints(deps.metadata, request.site.id, { includeInactive, limit, offset });
			const viewing = viewingOf(deps, request);
			return { endpoints: rows.map((row) => presentEndpoint(row, viewing)), total };
		},
	});
	addRoute(app, "GET /webhooks/:endpoint_id", {
		...ofEndpoint,
		summary: "One webhook endpoint",
		guard: reader,
		answer: Endpoint,
		handler: async (request) => {
			const row = await getEndpoint(deps.metadata, request.site.id, request.params.endpoint_id);
			return presentEndpoint(row, viewingOf(deps, request));
		},
	});
}

function registerFacts(app: App, deps: WebhookDeps): void {
	addRoute(app, "GET /webhooks/event-types", {
		tags,
		summary: "Event types of webhooks",
		guard: { kind: "principal", scope: "accounts:read" },
		answer: EventTypeList,
		handler: async () => ({ event_types: describedEvents.map((event) => ({ ...event })) }),
	});
	addRoute(app, "GET /webhooks/:endpoint_id/stats", {
		...ofEndpoint,
		summary: "Health of an endpoint in the last hours",
		querystring: StatsQuery,
		guard: reader,
		answer: EndpointStats,
		handler: async (request) => {
			const stats = await endpointStats(deps, request.site.id, request.params.endpoint_id, request.query.hours);
			return presentStats(stats, viewingOf(deps, request));
		},
	});
}

function registerWrites(app: App, deps: WebhookDeps): void {
	addRoute(app, "POST /webhooks", {
		tags,
		summary: "Add a webhook endpoint; its secret is shown only in this response",
		querystring: AccountQuery,
		body: CreateEndpointBody,
		guard: writer,
		status: 201,
		answer: CreatedEndpoint,
		errors: { 409: tooMany },
		handler: async (request) => {
			const { row, secret } = await createEndpoint(deps, changeOf(request), parseEndpoint(request.body));
			return { ...presentEndpoint(row, viewingOf(deps, request)), secret };
		},
	});
	addRoute(app, "PATCH /webhooks/:endpoint_id", {
		...ofEndpoint,
		summary: "Change, enable or disable a webhook endpoint",
		body: ChangeEndpointBody,
		guard: writer,
		answer: Endpoint,
		handler: async (request) => {
			const changes = parseChanges(request.body);
			const row = await changeEndpoint(deps, changeOf(request), request.params.endpoint_id, changes);
			return presentEndpoint(row, viewingOf(deps, request));
		},
	});
}

function registerRemoval(app: App, deps: WebhookDeps): void {
	addRoute(app, "DELETE /webhooks/:endpoint_id", {
		...ofEndpoint,
		summary: "Remove a webhook endpoint with its delivery log",
		guard: writer,
		empty: "Removed",
		handler: async (request) => {
			await removeEndpoint(deps, changeOf(request), request.params.endpoint_id);
		},
	});
}

function registerTrials(app: App, deps: WebhookDeps): void {
	addRoute(app, "POST /webhooks/:endpoint_id/rotate-secret", {
		...ofEndpoint,
		summary: "Rotate the secret of an endpoint; the old one also signs for 24 hours",
		guard: writer,
		answer: RotatedSecret,
		handler: async (request) => {
			const { secret, version, previousExpiresAt } = await rotateSecret(
				deps,
				changeOf(request),
				request.params.endpoint_id,
			);
			return {
				new_secret: secret,
				previous_secret_expires_at: timestamp(previousExpiresAt),
				secret_version: version,
			};
		},
	});
	addRoute(app, "POST /webhooks/:endpoint_id/test", {
		...ofEndpoint,
		summary: "Send a test event to an endpoint and wait for the response",
		body: TestBody,
		guard: writer,
		limit: [testing],
		answer: TestAnswer,
		handler: async (request) => {
			const { event_type: type, include_sample_context: withSample } = request.body;
			const test = { type, withSample };
			return presentTest(await testEndpoint(deps, changeOf(request), request.params.endpoint_id, test));
		},
	});
}
