import type { Metadata } from "../../../../platform/metadata/metadata.ts";
import { findOrganization, type OrganizationRow } from "../../../tenancy/organizations/index.ts";
import { findSite } from "../../../tenancy/sites/index.ts";

/** The organization of a site; undefined when one of them was deleted. */
export async function organizationOfSite(metadata: Metadata, siteId: string): Promise<OrganizationRow | undefined> {
	const site = await findSite(metadata, siteId);
	if (site?.is_active !== 1) return undefined;
	const organization = await findOrganization(metadata, site.organization_id);
	return organization?.is_active === 1 ? organization : undefined;
}
