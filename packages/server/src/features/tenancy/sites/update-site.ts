import { ServiceError } from "../../../platform/errors/service-error.ts";
import { type Actor, changedFields, recordAudit } from "../../auditing/audit-log/index.ts";
import { findOrganization } from "../organizations/index.ts";
import { changeSites } from "./change-sites.ts";
import { checkSiteQuota } from "./create-site.ts";
import type { SiteDeps } from "./deps.ts";
import { changeRetention, type RetentionChange } from "./retention.ts";
import { auditedSettings, type SettingChanges, settingColumns } from "./settings.ts";
import { findSite, isPurged, type SiteRow, updateSite } from "./store.ts";

/** Settings to change; a period for which data is kept has conditions of its own. */
type SiteChanges = Omit<SettingChanges, "data_retention_months"> & { readonly retention?: RetentionChange };

export interface SiteChange {
	readonly siteId: string;
	readonly actor: Actor;
}

/**
 * Changes settings of a site; `action` is what the audit log calls it. A new time zone touches only hits to come; an inactive site collects nothing
 * and stays readable. Throws `invalid_timezone`, `validation_error`, `account_not_found`, and when it is to come back `quota_exceeded` or `conflict`.
 */
export async function changeSite(
	deps: SiteDeps,
	{ siteId, actor }: SiteChange,
	changes: SiteChanges,
	action: "site.updated" | "site.deleted" = "site.updated",
): Promise<SiteRow> {
	const { retention, ...settings } = changes;
	const returns = settings.is_active === true;
	const now = deps.clock.now();
	const columns = {
		...settingColumns(settings),
		...(returns && { deleted_at: null }),
		...(action === "site.deleted" && { deleted_at: now }),
		updated_at: now,
	};
	return changeSites(deps, [siteId], async (metadata) => {
		const site = await findSite(metadata, siteId);
		if (site === undefined) throw new ServiceError("account_not_found");
		if (returns && (await isPurged(metadata, siteId))) {
			throw new ServiceError("conflict", { message: "The site is being purged" });
		}
		if (returns && site.is_active === 0) {
			const organization = await findOrganization(metadata, site.organization_id);
			if (organization !== undefined) await checkSiteQuota(metadata, organization, deps.clock.now());
		}
		const period = retention && (await changeRetention(metadata, site, retention, now));
		const changed = (await updateSite(metadata, siteId, { ...columns, ...period })) ?? site;
		const details = changedFields(auditedSettings(site), auditedSettings(changed));
		await recordAudit(metadata, actor, { action, resourceId: siteId, siteId, details }, now);
		return changed;
	});
}
