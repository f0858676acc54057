import { ApiError } from "../../../platform/http/api-error.ts";
import { findOrganization } from "../organizations/index.ts";
import { changeSites } from "./change-sites.ts";
import { checkSiteQuota } from "./create-site.ts";
import type { SiteDeps } from "./deps.ts";
import { normalizeTimezone } from "./normalize-timezone.ts";
import { findSite, type SiteRow, updateSite } from "./store.ts";

/** Settings to change; absent ones stay. */
export interface SiteChanges {
	readonly name?: string;
	readonly timezone?: string;
	readonly currency?: string;
	readonly isActive?: boolean;
	readonly botThreshold?: number;
}

/**
 * Changes settings of a site. A new time zone touches only hits to come; an inactive site collects nothing
 * and stays readable. Throws `invalid_timezone`, `account_not_found`, and `quota_exceeded` when it is to come back.
 */
export async function changeSite(deps: SiteDeps, siteId: string, changes: SiteChanges): Promise<SiteRow> {
	const { name, timezone, currency, isActive, botThreshold } = changes;
	const columns = {
		...(name !== undefined && { name }),
		...(timezone !== undefined && { timezone: normalizeTimezone(timezone) }),
		...(currency !== undefined && { currency: currency.toUpperCase() }),
		...(isActive !== undefined && { is_active: isActive ? 1 : 0 }),
		...(botThreshold !== undefined && { bot_threshold: botThreshold }),
		updated_at: deps.clock.now(),
	};
	return changeSites(deps, async (metadata) => {
		const site = await findSite(metadata, siteId);
		if (site === undefined) throw new ApiError("account_not_found");
		if (isActive === true && site.is_active === 0) {
			const organization = await findOrganization(metadata, site.organization_id);
			if (organization !== undefined) await checkSiteQuota(metadata, organization);
		}
		return (await updateSite(metadata, siteId, columns)) ?? site;
	});
}
