import { ApiError, fieldError } from "../../../platform/http/api-error.ts";
import { slugOf } from "../../../platform/lib/slug.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import {
	lockOrganization,
	type OrganizationRow,
	organizationForNewSite,
	planOf,
	type SiteCreator,
} from "../organizations/index.ts";
import { changeSites } from "./change-sites.ts";
import type { SiteDeps } from "./deps.ts";
import { insertDomain } from "./domains-store.ts";
import { normalizeDomain } from "./normalize-domain.ts";
import { normalizeTimezone } from "./normalize-timezone.ts";
import { countActiveSites, insertSite, type SiteRow } from "./store.ts";

/** Domains that a site may have. */
export const MAX_DOMAINS = 50;
const DEFAULT_BOT_THRESHOLD = 80;

interface NewSite {
	readonly name: string;
	readonly domains: readonly string[];
	readonly timezone: string;
	readonly currency: string;
	readonly orgId: string | null;
}

/**
 * Creates a site in the creator's organization, which is made when there is none.
 * Throws `invalid_timezone`, `invalid_domain`, `not_found` (organization), `forbidden` and `quota_exceeded`.
 */
export async function createSite(deps: SiteDeps, creator: SiteCreator, input: NewSite): Promise<SiteRow> {
	const now = deps.clock.now();
	const name = input.name.trim();
	if (name === "" || name.length > 255) throw fieldError("body.name", "must have 1 to 255 characters", "length");
	const timezone = normalizeTimezone(input.timezone);
	const domains = new Set(input.domains.map((domain) => normalizeDomain(domain, deps)));
	return changeSites(deps, async (metadata) => {
		const options = { orgId: input.orgId, plan: deps.defaultPlan, nowMs: now };
		const organization = await organizationForNewSite(metadata, creator, options);
		await checkSiteQuota(metadata, organization);
		const site = await insertSite(metadata, slugOf(name, "site"), {
			organization_id: organization.id,
			name,
			timezone,
			currency: input.currency.toUpperCase(),
			is_active: 1,
			bot_threshold: DEFAULT_BOT_THRESHOLD,
			created_by: creator.userId,
			created_at: now,
			updated_at: null,
		});
		for (const domain of domains) await insertDomain(metadata, site.id, domain, now);
		return site;
	});
}

/** Throws `quota_exceeded` when the organization's plan has no room for one more active site. */
export async function checkSiteQuota(metadata: Metadata, organization: OrganizationRow): Promise<void> {
	const { sites: limit } = planOf(organization.plan_tier);
	if (limit === null) return;
	await lockOrganization(metadata, organization.id);
	if ((await countActiveSites(metadata, organization.id)) >= limit) {
		throw new ApiError("quota_exceeded", { message: `The plan allows ${limit} active sites` });
	}
}
