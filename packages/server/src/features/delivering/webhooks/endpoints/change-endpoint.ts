import type { Metadata } from "../../../../platform/metadata/metadata.ts";
import { changedFields, recordAudit, removedFields } from "../../../auditing/audit-log/index.ts";
import type { EventType } from "../../domain-events/index.ts";
import type { WebhookDeps } from "../deps.ts";
import type { EndpointRow } from "../webhook-tables.ts";
import { checkUrl } from "./create-endpoint.ts";
import { audited, type EndpointChange, requireWebhooks } from "./endpoint-change.ts";
import { deleteEndpoint, lockEndpoint, updateEndpoint } from "./endpoints-store.ts";
import { endpointNotFound } from "./find-endpoint.ts";
import { checkHeaders } from "./header-rules.ts";
import { sealValue } from "./sealed-values.ts";

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
