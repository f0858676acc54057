import { fieldError, orThrow, ServiceError } from "../../../platform/errors/service-error.ts";
import { slugOf } from "../../../platform/lib/slug.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import {
	type Actor,
	actorOf,
	addedFields,
	type Change,
	changeAudited,
	changedFields,
	recordAudit,
} from "../../auditing/audit-log/index.ts";
import {
	findOrganization,
	lockOrganization,
	type OrganizationEnding,
	type OrganizationRow,
	organizationForNewSite,
	planOf,
	quotaExceeded,
	type SiteCreator,
} from "../organizations/index.ts";
import type { SiteChangeDeps, SiteDeps } from "./deps.ts";
import { normalizeDomain, normalizeTimezone } from "./normalize.ts";
import { changeRetention, type RetentionChange } from "./retention.ts";
import { auditedSettings, type SettingChanges, settingColumns } from "./settings.ts";
import {
	countSiteChange,
	findSite,
	insertSite,
	isPurged,
	type SiteRow,
	domains as siteDomains,
	sites,
	sitesOfOrganization,
} from "./store.ts";

/**
 * Runs a change to sites in one transaction, counts it for those that are named, and refreshes the directory of this process
 * before it answers. `change` must use the store that it is given, and itself counts sites that it finds or makes.
 */
export async function changeSites<T>(
	deps: Pick<SiteChangeDeps, "metadata" | "sites">,
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

export interface SiteChange {
	readonly siteId: string;
	readonly actor: Actor;
}

export const changeBy = (request: Parameters<typeof actorOf>[0] & { readonly site: { readonly id: string } }) => ({
	siteId: request.site.id,
	actor: actorOf(request),
});

/** Makes and records a change to something of a site. Of two at once, the second counts the first. */
export const changeOfSite = <T>(deps: SiteChangeDeps, { siteId, actor }: SiteChange, change: Change<T>): Promise<T> =>
	changeSites(deps, [siteId], async (trx) => {
		await sites.lock(trx, { id: siteId });
		return changeAudited(trx, { siteId, actor, nowMs: deps.clock.now() }, change);
	});

/** Deletes the sites of a deleted organization: no tracker, no collection, and 30 days later no data. */
export const endSitesOf: OrganizationEnding = async (metadata, organizationId, nowMs) => {
	const deleted = { is_active: 0, deleted_at: nowMs, updated_at: nowMs };
	await sites.updateAll(metadata, { organization_id: organizationId, deleted_at: null }, deleted);
	// Inactive ones too, as the facts of their organization have changed as well.
	const ids = (await sitesOfOrganization(metadata, organizationId)).map(({ id }) => id);
	await countSiteChange(metadata, ids);
};

export const MAX_DOMAINS = 50;
const DEFAULT_BOT_THRESHOLD = 80;

interface NewSite {
	readonly name: string;
	readonly domains: readonly string[];
	readonly timezone: string;
	readonly currency: string;
	readonly orgId: string | null;
}

interface Creator extends SiteCreator {
	readonly actor: Actor;
}

/**
 * Creates a site in the creator's organization, which is made when there is none.
 * Throws `invalid_timezone`, `invalid_domain`, `not_found` (organization), `forbidden` and `quota_exceeded`.
 */
export async function createSite(deps: SiteDeps, creator: Creator, input: NewSite): Promise<SiteRow> {
	return changeSites(deps, [], (metadata) => addSite({ ...deps, metadata }, creator, input));
}

/** The same within a transaction of the caller, who runs it by `changeSites`. */
export async function addSite(deps: Omit<SiteDeps, "sites">, creator: Creator, input: NewSite): Promise<SiteRow> {
	const { metadata } = deps;
	const now = deps.clock.now();
	const name = input.name.trim();
	if (name === "" || name.length > 255) throw fieldError("body.name", "must have 1 to 255 characters", "length");
	const timezone = normalizeTimezone(input.timezone);
	const domains = new Set(input.domains.map(normalizeDomain));
	const options = { orgId: input.orgId, plan: deps.defaultPlan, nowMs: now };
	const organization = await organizationForNewSite(metadata, creator, options);
	await checkSiteQuota(metadata, organization, now);
	const site = await insertSite(metadata, slugOf(name, "site"), {
		organization_id: organization.id,
		name,
		timezone,
		currency: input.currency.toUpperCase(),
		is_active: 1,
		bot_threshold: DEFAULT_BOT_THRESHOLD,
		automatic_events: "[]",
		goals: "[]",
		created_by: creator.userId,
		created_at: now,
	});
	for (const domain of domains) {
		await siteDomains.insert(metadata, { site_id: site.id, domain, is_active: 1, created_at: now });
	}
	await countSiteChange(metadata, [site.id]);
	const entry = { resourceId: site.id, siteId: site.id, organizationId: organization.id };
	const details = addedFields({ ...auditedSettings(site), domains: [...domains] });
	await recordAudit(metadata, creator.actor, { action: "site.created", ...entry, details }, now);
	return site;
}

/** Throws `quota_exceeded` when the organization's plan has no room for one more active site. */
async function checkSiteQuota(metadata: Metadata, organization: OrganizationRow, nowMs: number): Promise<void> {
	const { sites: limit } = planOf(organization.plan_tier);
	if (limit === null) return;
	await lockOrganization(metadata, organization.id);
	if ((await sites.count(metadata, { organization_id: organization.id, is_active: 1 })) >= limit) {
		throw quotaExceeded(`The plan allows ${limit} active ${limit === 1 ? "site" : "sites"}`, nowMs);
	}
}

/** Settings to change; a period for which data is kept has conditions of its own. */
type SiteChanges = Omit<SettingChanges, "data_retention_months"> & { readonly retention?: RetentionChange };

/**
 * Changes settings of a site; `action` is what the audit log calls it. A new time zone touches only hits to come; an inactive site collects nothing
 * and stays readable. Throws `invalid_timezone`, `validation_error`, `account_not_found`, and when it is to come back `quota_exceeded` or `conflict`.
 */
export async function changeSite(
	deps: SiteChangeDeps,
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
		const site = orThrow(await findSite(metadata, siteId), "account_not_found");
		if (returns && (await isPurged(metadata, siteId))) throw new ServiceError("conflict", "The site is being purged");
		if (returns && site.is_active === 0) {
			const organization = await findOrganization(metadata, site.organization_id);
			if (organization !== undefined) await checkSiteQuota(metadata, organization, deps.clock.now());
		}
		const period = retention && (await changeRetention(metadata, site, retention, now));
		const changed = (await sites.update(metadata, { id: siteId }, { ...columns, ...period })) ?? site;
		const details = changedFields(auditedSettings(site), auditedSettings(changed));
		await recordAudit(metadata, actor, { action, resourceId: siteId, siteId, details }, now);
		return changed;
	});
}
