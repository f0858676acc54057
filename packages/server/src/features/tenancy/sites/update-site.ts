import { ServiceError } from "../../../platform/errors/service-error.ts";
import { type Actor, changedFields, recordAudit } from "../../auditing/audit-log/index.ts";
import { findOrganization } from "../organizations/index.ts";
import { changeSites } from "./change-sites.ts";
import { audited, checkSiteQuota } from "./create-site.ts";
import type { SiteDeps } from "./deps.ts";
import { goalsToStore, type NewGoal } from "./goals.ts";
import { normalizeTimezone } from "./normalize-timezone.ts";
import { changeRetention, type RetentionChange } from "./retention.ts";
import type { AutomaticEvent } from "./site-facts.ts";
import { findSite, isPurged, type SiteRow, updateSite } from "./store.ts";

/** Settings to change; absent ones stay. */
export interface SiteChanges {
	readonly name?: string;
	readonly timezone?: string;
	readonly currency?: string;
	readonly isActive?: boolean;
	readonly botThreshold?: number;
	readonly automaticEvents?: readonly AutomaticEvent[];
	readonly goals?: readonly NewGoal[];
	readonly retention?: RetentionChange;
}

/** Site of a change and its author. */
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
	const { name, timezone, currency, isActive, botThreshold, automaticEvents, goals, retention } = changes;
	const now = deps.clock.now();
	const columns = {
		...(name !== undefined && { name }),
		...(timezone !== undefined && { timezone: normalizeTimezone(timezone) }),
		...(currency !== undefined && { currency: currency.toUpperCase() }),
		...(isActive !== undefined && { is_active: isActive ? 1 : 0 }),
		...(isActive === true && { deleted_at: null }),
		...(action === "site.deleted" && { deleted_at: now }),
		...(botThreshold !== undefined && { bot_threshold: botThreshold }),
		...(automaticEvents !== undefined && { automatic_events: JSON.stringify(automaticEvents) }),
		...(goals !== undefined && { goals: JSON.stringify(goalsToStore(goals)) }),
		updated_at: now,
	};
	return changeSites(deps, [siteId], async (metadata) => {
		const site = await findSite(metadata, siteId);
		if (site === undefined) throw new ServiceError("account_not_found");
		if (isActive === true && (await isPurged(metadata, siteId))) {
			throw new ServiceError("conflict", { message: "The site is being purged" });
		}
		if (isActive === true && site.is_active === 0) {
			const organization = await findOrganization(metadata, site.organization_id);
			if (organization !== undefined) await checkSiteQuota(metadata, organization, deps.clock.now());
		}
		const period = retention && (await changeRetention(metadata, site, retention, now));
		const changed = (await updateSite(metadata, siteId, { ...columns, ...period })) ?? site;
		const details = changedFields(audited(site), audited(changed));
		await recordAudit(metadata, actor, { action, resourceId: siteId, siteId, details }, now);
		return changed;
	});
}
