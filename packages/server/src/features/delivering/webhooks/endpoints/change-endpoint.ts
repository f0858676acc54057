import { fieldError } from "../../../../platform/errors/service-error.ts";
import { uuid } from "../../../../platform/lib/ids.ts";
import type { ServerSecrets } from "../../../../platform/lib/sealer.ts";
import type { Metadata } from "../../../../platform/metadata/metadata.ts";
import {
	type Actor,
	addedFields,
	changedFields,
	recordAudit,
	removedFields,
} from "../../../auditing/audit-log/index.ts";
import { changeInTurn, findOrganization, requireFeature, siteIsFull } from "../../../tenancy/organizations/index.ts";
import type { EventType } from "../../domain-events/index.ts";
import { type EndpointRow, subscribedTo, type WebhookDeps } from "../deps.ts";
import { lastFour, newSecret } from "../sending/sign-payload.ts";
import {
	countEndpoints,
	deleteEndpoint,
	endpointNotFound,
	insertEndpoint,
	lockEndpoint,
	updateEndpoint,
} from "./endpoints-store.ts";
import { withoutQuery } from "./present.ts";
import { sealValue, shownHeaders } from "./sealed-values.ts";

const MAX_HEADERS = 20;
const NAME = /^[A-Za-z0-9-]{1,100}$/;
/** A value that HTTP can carry: visible ASCII with blanks between. */
const VALUE = /^[\x20-\x7e]{0,1000}$/;

/** Names that are ours, or that govern the connection: the client that sends would refuse them or be misled. */
const reserved: readonly RegExp[] = [
	/^host$/,
	/^content-/,
	/^transfer-encoding$/,
	/^(proxy-)?connection$/,
	/^(keep-alive|upgrade|expect|te|trailer)$/,
	/^x-service-/,
	/^webhook-/,
];

/** Throws 422 for the first header that cannot be sent along with each call. */
function checkHeaders(headers: Readonly<Record<string, string>>): void {
	const names = Object.keys(headers);
	if (names.length > MAX_HEADERS) throw fieldError("body.headers", `must have at most ${MAX_HEADERS} headers`);
	const known = new Set<string>();
	for (const [name, value] of Object.entries(headers)) {
		const field = `body.headers.${name}`;
		const lower = name.toLowerCase();
		if (!NAME.test(name)) throw fieldError(field, "must have a name of letters, digits and hyphens, 100 at most");
		if (reserved.some((pattern) => pattern.test(lower))) throw fieldError(field, "is set by the service itself");
		if (known.has(lower)) throw fieldError(field, "must be given once");
		if (!VALUE.test(value)) throw fieldError(field, "must be at most 1000 ASCII characters");
		known.add(lower);
	}
}

/** Site of changed endpoints, and the author of the change. */
export interface EndpointChange {
	readonly siteId: string;
	readonly organizationId: string;
	readonly actor: Actor;
}

/** Throws `forbidden` when the organization's plan has no webhooks. */
export async function requireWebhooks(metadata: Metadata, organizationId: string): Promise<void> {
	const organization = await findOrganization(metadata, organizationId);
	requireFeature(organization?.plan_tier ?? "free", "webhooks");
}

/** Audited fields of an endpoint, without those that may hold credentials. */
const audited = (deps: ServerSecrets, row: EndpointRow) => ({
	name: row.name,
	url: withoutQuery(row.url),
	event_types: subscribedTo(row),
	description: row.description,
	headers: Object.keys(shownHeaders(deps, row)),
	is_active: row.is_active === 1,
});

const MAX_ENDPOINTS = 20;

/** Input of a new endpoint. */
interface NewEndpoint {
	readonly name: string;
	readonly url: string;
	readonly eventTypes: readonly EventType[];
	readonly headers: Readonly<Record<string, string>>;
	readonly description: string | null;
}

/** Throws 422 for an address that nothing may be sent to. */
function checkUrl({ guardedFetch }: Pick<WebhookDeps, "guardedFetch">, url: string): void {
	const fault = guardedFetch.urlFault(url);
	if (fault !== undefined) throw fieldError("body.url", fault);
}

/**
 * Adds an endpoint and answers it with its secret, which is shown this once.
 * Throws 422 for an address or a header that cannot be used, `forbidden` when the plan has no webhooks, and `conflict` beyond
 * the most that a site may have.
 */
export async function createEndpoint(
	deps: WebhookDeps,
	{ siteId, organizationId, actor }: EndpointChange,
	input: NewEndpoint,
): Promise<{ row: EndpointRow; secret: string }> {
	checkUrl(deps, input.url);
	checkHeaders(input.headers);
	const secret = newSecret();
	const row = newRow(deps, siteId, { ...input, secret, createdBy: actor.userId });
	return changeInTurn(deps, { site: { id: siteId, organizationId }, actor }, async (trx) => {
		await requireWebhooks(trx, organizationId);
		if ((await countEndpoints(trx, siteId)) >= MAX_ENDPOINTS) throw siteIsFull(MAX_ENDPOINTS, "webhook endpoints");
		const stored = await insertEndpoint(trx, row);
		const details = addedFields(audited(deps, stored));
		return { answer: { row: stored, secret }, entry: { action: "webhook.created", resourceId: row.id, details } };
	});
}

function newRow(
	deps: WebhookDeps,
	siteId: string,
	input: NewEndpoint & { readonly secret: string; readonly createdBy: number | null },
): EndpointRow {
	const id = uuid();
	return {
		id,
		site_id: siteId,
		name: input.name,
		url: input.url,
		event_types: JSON.stringify(input.eventTypes),
		description: input.description,
		sealed_headers: sealValue(deps, id, JSON.stringify(input.headers)),
		sealed_secret: sealValue(deps, id, input.secret),
		secret_last_4: lastFour(input.secret),
		secret_version: 1,
		sealed_previous_secret: null,
		previous_secret_expires_at: null,
		is_active: 1,
		is_verified: 0,
		disabled_reason: null,
		failing_since: null,
		last_delivery_at: null,
		last_success_at: null,
		last_failure_at: null,
		last_failure_reason: null,
		created_by: input.createdBy,
		created_at: deps.clock.now(),
		updated_at: null,
	};
}

/** Fields to change; absent ones stay. */
export interface EndpointChanges {
	readonly name?: string;
	readonly url?: string;
	readonly eventTypes?: readonly EventType[];
	readonly headers?: Readonly<Record<string, string>>;
	readonly description?: string | null;
	readonly isActive?: boolean;
}

/**
 * Changes an endpoint. Throws `not_found`, 422 for an address or a header that cannot be used, and `forbidden` when it is to
 * be switched on and the plan has no webhooks.
 */
export async function changeEndpoint(
	deps: WebhookDeps,
	{ siteId, organizationId, actor }: EndpointChange,
	id: string,
	changes: EndpointChanges,
): Promise<EndpointRow> {
	if (changes.url !== undefined) checkUrl(deps, changes.url);
	if (changes.headers !== undefined) checkHeaders(changes.headers);
	const now = deps.clock.now();
	return deps.metadata.transaction().execute(async (trx) => {
		const before = await held(trx, siteId, id);
		if (changes.isActive === true) await requireWebhooks(trx, organizationId);
		const after = await updateEndpoint(trx, id, { ...columnsOf(deps, before, changes), updated_at: now });
		if (after === undefined) throw endpointNotFound();
		const details = changedFields(audited(deps, before), audited(deps, after));
		await recordAudit(trx, actor, { action: "webhook.updated", resourceId: id, siteId, details }, now);
		return after;
	});
}

async function held(trx: Metadata, siteId: string, id: string): Promise<EndpointRow> {
	const row = await lockEndpoint(trx, siteId, id);
	if (row === undefined) throw endpointNotFound();
	return row;
}

function columnsOf(deps: WebhookDeps, before: EndpointRow, changes: EndpointChanges): Partial<EndpointRow> {
	const { name, url, eventTypes, headers, description, isActive } = changes;
	return {
		...(name !== undefined && { name }),
		...(eventTypes !== undefined && { event_types: JSON.stringify(eventTypes) }),
		...(headers !== undefined && { sealed_headers: sealValue(deps, before.id, JSON.stringify(headers)) }),
		...(description !== undefined && { description }),
		// Another address has not shown yet that it listens, nor that it does not.
		...(url !== undefined && url !== before.url && { url, is_verified: 0, failing_since: null }),
		...(isActive === false && { is_active: 0 }),
		...(isActive === true && { is_active: 1, ...noFailures }),
	};
}

const noFailures = { disabled_reason: null, failing_since: null, last_failure_at: null, last_failure_reason: null };

/** Removes an endpoint with its delivery log; throws `not_found`. */
export async function removeEndpoint(deps: WebhookDeps, { siteId, actor }: EndpointChange, id: string): Promise<void> {
	await deps.metadata.transaction().execute(async (trx) => {
		const row = await deleteEndpoint(trx, siteId, id);
		if (row === undefined) throw endpointNotFound();
		const entry = { resourceId: id, siteId, details: removedFields(audited(deps, row)) };
		await recordAudit(trx, actor, { action: "webhook.deleted", ...entry }, deps.clock.now());
	});
}
