import type { OrganizationEnding } from "../organizations/index.ts";
import { sitesOfOrganization } from "./members-store.ts";
import { countSiteChange, deactivateSitesOf } from "./store.ts";

/** Stops the sites of a deleted organization: no tracker, no collection. */
export const endSitesOf: OrganizationEnding = async (metadata, organizationId, nowMs) => {
	await deactivateSitesOf(metadata, organizationId, nowMs);
	// The inactive ones too: what they are told of their organization has changed as well.
	const sites = await sitesOfOrganization(metadata, organizationId);
	await countSiteChange(
		metadata,
		sites.map(({ id }) => id),
	);
};
