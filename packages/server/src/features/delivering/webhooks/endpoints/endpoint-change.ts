import type { ServerSecrets } from "../../../../platform/lib/sealer.ts";
import type { Metadata } from "../../../../platform/metadata/metadata.ts";
import type { Actor } from "../../../auditing/audit-log/index.ts";
import { findOrganization, requireFeature } from "../../../tenancy/organizations/index.ts";
import { withoutQuery } from "../deliveries/withheld.ts";
import type { EndpointRow } from "../webhook-tables.ts";
import { subscribedTo } from "../webhook-tables.ts";
import { shownHeaders } from "./sealed-values.ts";

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
export const audited = (deps: ServerSecrets, row: EndpointRow) => ({
	name: row.name,
	url: withoutQuery(row.url),
	event_types: subscribedTo(row),
	description: row.description,
	headers: Object.keys(shownHeaders(deps, row)),
	is_active: row.is_active === 1,
});
