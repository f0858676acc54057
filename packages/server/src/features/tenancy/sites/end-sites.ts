import type { OrganizationEnding } from "../organizations/index.ts";
import { sitesOfOrganization } from "./members-store.ts";
import { countSiteChange, deleteSitesOf } from "./store.ts";

/** Deletes the sites of a deleted organization: no tracker, no collection, and 30 days later no data. */
export const endSitesOf: OrganizationEnding = async (metadata, organizationId, nowMs) => {
	await deleteSitesOf(metadata, organizationId, nowMs);
	// Inactive ones too, as the facts of their organization have changed as well.
	const sites = await sitesOfOrganization(metadata, organizationId);
	await countSiteChange(
		metadata,
		sites.map(({ id }) => id),
	);
};
