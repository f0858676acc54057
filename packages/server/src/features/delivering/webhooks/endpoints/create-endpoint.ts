import { fieldError } from "../../../../platform/errors/service-error.ts";
import { uuid } from "../../../../platform/lib/ids.ts";
import { addedFields } from "../../../auditing/audit-log/index.ts";
import { changeInTurn, siteIsFull } from "../../../tenancy/organizations/index.ts";
import type { EventType } from "../../domain-events/index.ts";
import type { WebhookDeps } from "../deps.ts";
import { lastFour, newSecret } from "../sending/sign-payload.ts";
import type { EndpointRow } from "../webhook-tables.ts";
import { audited, type EndpointChange, requireWebhooks } from "./endpoint-change.ts";
import { countEndpoints, insertEndpoint } from "./endpoints-store.ts";
import { checkHeaders } from "./header-rules.ts";
import { sealValue } from "./sealed-values.ts";

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
export function checkUrl({ guardedFetch }: Pick<WebhookDeps, "guardedFetch">, url: string): void {
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
