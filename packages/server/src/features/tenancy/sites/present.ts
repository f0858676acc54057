import type { OrgRole, SiteRole } from "../../../access/index.ts";
import { DAY_MS } from "../../../platform/lib/durations.ts";
import { timestamp, timestampOrNull } from "../../../platform/lib/timestamp.ts";
import { inChunks } from "../../../platform/metadata/in-chunks.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { findUser } from "../../people/users/index.ts";
import {
	findOrganization,
	leadersOf,
	leadersOfEach,
	planAllows,
	planFeatures,
	roleIn,
} from "../organizations/index.ts";
import { settingsOf } from "./settings.ts";
import { type SiteRow, domains as siteDomains, siteMembers } from "./store.ts";

/** A deleted site is purged so long after. */
export const PURGED_AFTER_MS = 30 * DAY_MS;

const presentSite = (site: SiteRow, around: { domains: readonly string[]; userCount: number }) => ({
	id: site.id,
	domains: [...around.domains],
	...settingsOf(site),
	data_retention_pending: presentPending(site),
	purge_at: timestampOrNull(site.deleted_at === null ? null : site.deleted_at + PURGED_AFTER_MS),
	lens_tier: "guard" as const,
	created_at: timestamp(site.created_at),
	updated_at: timestampOrNull(site.updated_at),
	created_by: site.created_by,
	user_count: around.userCount,
});

const presentPending = ({ retention_pending_months: months, retention_pending_at: at }: SiteRow) =>
	months === null || at === null ? null : { months, applies_at: timestamp(at) };

/** Sites as the API shows them, with their active domains and the number of users who have a role on them. */
export async function describeSites(metadata: Metadata, sites: readonly SiteRow[]) {
	const ids = sites.map(({ id }) => id);
	const organizationIds = [...new Set(sites.map((site) => site.organization_id))];
	const active = await inChunks(ids, (site_id) => siteDomains.list(metadata, { site_id, is_active: 1 }, "id"));
	const domains = Map.groupBy(active, (row) => row.site_id);
	const members = Map.groupBy(
		await inChunks(ids, (site_id) => siteMembers.list(metadata, { site_id })),
		(row) => row.site_id,
	);
	const leaders = Map.groupBy(await leadersOfEach(metadata, organizationIds), (row) => row.organization_id);
	return sites.map((site) => {
		const people = [...(members.get(site.id) ?? []), ...(leaders.get(site.organization_id) ?? [])];
		const users = new Set(people.map((row) => row.user_id));
		const names = (domains.get(site.id) ?? []).map(({ domain }) => domain);
		return presentSite(site, { domains: names, userCount: users.size });
	});
}

/** One site as the API shows it. */
export async function describeSite(metadata: Metadata, site: SiteRow) {
	const [described] = await describeSites(metadata, [site]);
	if (described === undefined) throw new Error("A site was left out of its own description");
	return described;
}

/** One site with its organization and what the caller may do there; `is_own` = the caller owns the organization. */
export async function describeSiteFully(
	metadata: Metadata,
	site: SiteRow,
	caller: { readonly userId: number; readonly role: SiteRole; readonly organizationRole: OrgRole | null },
) {
	const organization = await findOrganization(metadata, site.organization_id);
	const [first] = await leadersOf(metadata, site.organization_id);
	const owner = first?.role === "owner" ? await findUser(metadata, first.userId) : undefined;
	return {
		...(await describeSite(metadata, site)),
		role: caller.role,
		is_own: (await roleIn(metadata, site.organization_id, caller.userId)) === "owner",
		organization_role: caller.organizationRole,
		org_name: organization?.name ?? null,
		org_slug: organization?.slug ?? null,
		owner_email: owner?.email ?? null,
		plan_features: planFeatures.filter((feature) => planAllows(organization?.plan_tier ?? "free", feature)),
	};
}
