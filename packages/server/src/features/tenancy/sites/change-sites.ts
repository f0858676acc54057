import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { OrganizationEnding } from "../organizations/index.ts";
import type { SiteDeps } from "./deps.ts";
import { sitesOfOrganization } from "./members-store.ts";
import { countSiteChange, deleteSitesOf } from "./store.ts";

/**
 * Runs a change to sites in one transaction, counts it for those that are named, and refreshes the directory of this process
 * before it answers. `change` must use the store that it is given, and itself counts sites that it finds or makes.
 */
export async function changeSites<T>(
	deps: Pick<SiteDeps, "metadata" | "sites">,
	siteIds: readonly string[],
	change: (metadata: Metadata) => Promise<T>,
): Promise<T> {
	const result = await deps.metadata.transaction().execute(async (metadata) => {
		const changed = await change(metadata);
		await countSiteChange(metadata, siteIds);
		return changed;
	});
	await deps.sites.refresh();
	return result;
}

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
