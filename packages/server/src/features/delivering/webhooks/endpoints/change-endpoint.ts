import { type Static, Type } from "typebox";
import { fieldError } from "../../../../platform/errors/service-error.ts";
import { Nullable, OneOf } from "../../../../platform/http/schemas.ts";
import { DAY_MS } from "../../../../platform/lib/durations.ts";
import { uuid } from "../../../../platform/lib/ids.ts";
import type { ServerSecrets } from "../../../../platform/lib/sealer.ts";
import { timestamp } from "../../../../platform/lib/timestamp.ts";
import type { Metadata } from "../../../../platform/metadata/metadata.ts";
import {
	addedFields,
	type Change,
	changeAudited,
	changedFields,
	removedFields,
} from "../../../auditing/audit-log/index.ts";
import {
	changeInTurn,
	findOrganization,
	requireFeature,
	type SiteChange,
	siteIsFull,
} from "../../../tenancy/organizations/index.ts";
import { eventTypes } from "../../domain-events/index.ts";
import { type EndpointRow, subscribedTo, type WebhookDeps } from "../deps.ts";
import { withoutQuery } from "../viewing.ts";
import { endpointNotFound, lockEndpoint, webhookEndpoints } from "./endpoints-store.ts";
import { lastFour, newSecret, sealValue, shownHeaders } from "./sealed-values.ts";

const fields = {
	name: Type.String({ minLength: 1, maxLength: 255 }),
	url: Type.String({ minLength: 1, maxLength: 2000, description: "`https:` URL on a public address" }),
	event_types: Type.Array(OneOf(eventTypes), { minItems: 1, maxItems: 5, uniqueItems: true }),
};
const optional = {
	headers: Type.Optional(
		Type.Record(Type.String(), Type.String(), {
			description: "Sent with each request, at most 20; not `host`, `content-*`, `x-service-*` and `webhook-*`",
		}),
	),
	description: Type.Optional(Nullable(Type.String({ maxLength: 1000, "x-characters": "lines" }))),
};

export const CreateEndpointBody = Type.Object({ ...fields, ...optional });
export const ChangeEndpointBody = Type.Object({
	...Type.Partial(Type.Object(fields)).properties,
	is_active: Type.Optional(Type.Boolean()),
	...optional,
});

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
const PREVIOUS_LIVES_MS = DAY_MS;

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
	by: SiteChange,
	{ name, url, event_types, headers = {}, description }: Static<typeof CreateEndpointBody>,
): Promise<{ row: EndpointRow; secret: string }> {
	checkUrl(deps, url);
	checkHeaders(headers);
	const [id, secret] = [uuid(), newSecret()];
	return changeInTurn(deps, by, async (trx, now) => {
		await requireWebhooks(trx, by.site.organizationId);
		if ((await webhookEndpoints.count(trx, { site_id: by.site.id })) >= MAX_ENDPOINTS) {
			throw siteIsFull(MAX_ENDPOINTS, "webhook endpoints");
		}
		const row = await webhookEndpoints.insert(trx, {
			id,
			site_id: by.site.id,
			name,
			url,
			event_types: JSON.stringify(event_types),
			description: description || null,
			sealed_headers: sealValue(deps, id, JSON.stringify(headers)),
			sealed_secret: sealValue(deps, id, secret),
			secret_last_4: lastFour(secret),
			secret_version: 1,
			is_active: 1,
			is_verified: 0,
			created_by: by.actor.userId,
			created_at: now,
		});
		const details = addedFields(audited(deps, row));
		return { answer: { row, secret }, entry: { action: "webhook.created", resourceId: id, details } };
	});
}

/** Makes a change to one endpoint and records it; the endpoint is locked meanwhile. Throws `not_found`. */
function changeLocked<T>(
	{ metadata, clock }: WebhookDeps,
	{ site, actor }: SiteChange,
	id: string,
	change: (trx: Metadata, before: EndpointRow, now: number) => ReturnType<Change<T>>,
): Promise<T> {
	const nowMs = clock.now();
	return metadata.transaction().execute(async (trx) => {
		const before = await lockEndpoint(trx, site.id, id);
		if (before === undefined) throw endpointNotFound();
		return changeAudited(trx, { siteId: site.id, actor, nowMs }, () => change(trx, before, nowMs));
	});
}

/**
 * Changes an endpoint. Throws `not_found`, 422 for an address or a header that cannot be used, and `forbidden` when it is to
 * be switched on and the plan has no webhooks.
 */
export async function changeEndpoint(
	deps: WebhookDeps,
	by: SiteChange,
	id: string,
	changes: Static<typeof ChangeEndpointBody>,
): Promise<EndpointRow> {
	if (changes.url !== undefined) checkUrl(deps, changes.url);
	if (changes.headers !== undefined) checkHeaders(changes.headers);
	return changeLocked(deps, by, id, async (trx, before, now) => {
		if (changes.is_active === true) await requireWebhooks(trx, by.site.organizationId);
		const after = await webhookEndpoints.update(trx, { id }, { ...columnsOf(deps, before, changes), updated_at: now });
		if (after === undefined) throw endpointNotFound();
		const details = changedFields(audited(deps, before), audited(deps, after));
		return { answer: after, entry: { action: "webhook.updated", resourceId: id, details } };
	});
}

function columnsOf(
	deps: WebhookDeps,
	before: EndpointRow,
	{ name, url, event_types, headers, description, is_active }: Static<typeof ChangeEndpointBody>,
): Partial<EndpointRow> {
	return {
		...(name !== undefined && { name }),
		...(event_types !== undefined && { event_types: JSON.stringify(event_types) }),
		...(headers !== undefined && { sealed_headers: sealValue(deps, before.id, JSON.stringify(headers)) }),
		...(description !== undefined && { description: description || null }),
		// Another address has not shown yet that it listens, nor that it does not.
		...(url !== undefined && url !== before.url && { url, is_verified: 0, failing_since: null }),
		...(is_active === false && { is_active: 0 }),
		...(is_active === true && { is_active: 1, ...noFailures }),
	};
}

const noFailures = { disabled_reason: null, failing_since: null, last_failure_at: null, last_failure_reason: null };

export const removeEndpoint = (deps: WebhookDeps, by: SiteChange, id: string): Promise<void> =>
	changeLocked(deps, by, id, async (trx, row) => {
		await webhookEndpoints.delete(trx, { id });
		const details = removedFields(audited(deps, row));
		return { answer: undefined, entry: { action: "webhook.deleted", resourceId: id, details } };
	});

/** Gives an endpoint a new secret, valid at once; the one before signs beside it for 24 hours, older ones never again. */
export const rotateSecret = (deps: WebhookDeps, by: SiteChange, id: string) =>
	changeLocked(deps, by, id, async (trx, before, now) => {
		const secret = newSecret();
		const version = before.secret_version + 1;
		const previousExpiresAt = now + PREVIOUS_LIVES_MS;
		await webhookEndpoints.update(
			trx,
			{ id },
			{
				sealed_secret: sealValue(deps, id, secret),
				secret_last_4: lastFour(secret),
				secret_version: version,
				sealed_previous_secret: before.sealed_secret,
				previous_secret_expires_at: previousExpiresAt,
				updated_at: now,
			},
		);
		const details = { secret_version: [before.secret_version, version] };
		return {
			answer: { new_secret: secret, previous_secret_expires_at: timestamp(previousExpiresAt), secret_version: version },
			entry: { action: "webhook.secret_rotated", resourceId: id, details },
		};
	});
