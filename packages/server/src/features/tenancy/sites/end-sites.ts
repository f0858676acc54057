import { tables } from "../../../../migrations/metadata/tables/index.ts";
import type { OrganizationEnding } from "../organizations/index.ts";
import { sitesOfOrganization } from "./members-store.ts";
import { countSiteChange } from "./store.ts";

/** Stops the sites of a deleted organization: no tracker, no collection. */
export const endSitesOf: OrganizationEnding = async (metadata, organizationId, nowMs) => {
	await tables(metadata)
		.updateTable("sites")
		.set({ is_active: 0, updated_at: nowMs })
		.where("organization_id", "=", organizationId)
		.where("is_active", "=", 1)
		.execute();
	// The inactive ones too: what they are told of their organization has changed as well.
	const sites = await sitesOfOrganization(metadata, organizationId);
	await countSiteChange(
		metadata,
		sites.map(({ id }) => id),
	);
};
