import { fieldError } from "../../../platform/errors/service-error.ts";
import { slugOf } from "../../../platform/lib/slug.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { type Actor, addedFields, recordAudit } from "../../auditing/audit-log/index.ts";
import {
	lockOrganization,
	type OrganizationRow,
	organizationForNewSite,
	planOf,
	quotaExceeded,
	type SiteCreator,
} from "../organizations/index.ts";
import { changeSites } from "./change-sites.ts";
import type { SiteDeps } from "./deps.ts";
import { normalizeDomain, normalizeTimezone } from "./normalize.ts";
import { auditedSettings } from "./settings.ts";
import { countActiveSites, countSiteChange, insertDomain, insertSite, type SiteRow } from "./store.ts";

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
		updated_at: null,
	});
	for (const domain of domains) await insertDomain(metadata, site.id, domain, now);
	await countSiteChange(metadata, [site.id]);
	const entry = { resourceId: site.id, siteId: site.id, organizationId: organization.id };
	const details = addedFields({ ...auditedSettings(site), domains: [...domains] });
	await recordAudit(metadata, creator.actor, { action: "site.created", ...entry, details }, now);
	return site;
}

/** Throws `quota_exceeded` when the organization's plan has no room for one more active site. */
export async function checkSiteQuota(metadata: Metadata, organization: OrganizationRow, nowMs: number): Promise<void> {
	const { sites: limit } = planOf(organization.plan_tier);
	if (limit === null) return;
	await lockOrganization(metadata, organization.id);
	if ((await countActiveSites(metadata, organization.id)) >= limit) {
		throw quotaExceeded(`The plan allows ${limit} active ${limit === 1 ? "site" : "sites"}`, nowMs);
	}
}
