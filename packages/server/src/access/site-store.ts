import { tables } from "../../migrations/metadata/tables/index.ts";
import { isSlug } from "../platform/lib/slug.ts";
import { inChunks } from "../platform/metadata/in-chunks.ts";
import type { Metadata } from "../platform/metadata/metadata.ts";
import { effectiveRole, type OrgRole, orgRoleReaches, type PlanTier, type SiteRole } from "./principal.ts";
import type { SharedView } from "./shared-view.ts";

/** The site that a request names, with what its caller may do there. */
export interface RequestSite {
	readonly id: string;
	readonly organizationId: string;
	readonly planTier: PlanTier;
	readonly name: string;
	/** IANA zone. */
	readonly timezone: string;
	/** ISO 4217 code. */
	readonly currency: string;
	readonly isActive: boolean;
	/** A hit with a higher suspicion score is left out of reports. */
	readonly botThreshold: number;
	/** Role of the calling user, or of the key's owner. */
	readonly role: SiteRole;
	/** The same in the site's organization, `owner` for superadmins; null = not a member. */
	readonly organizationRole: OrgRole | null;
	/** Content of the shared link by which the site is read; null for all other callers. */
	readonly share: SharedView | null;
}

export interface ReachableSite {
	readonly id: string;
	readonly organizationId: string;
	readonly role: SiteRole;
	readonly isActive: boolean;
}

const sitesSeenBy = (metadata: Metadata, userId: number) =>
	tables(metadata)
		.selectFrom("sites")
		.innerJoin("users", (join) => join.on("users.id", "=", userId))
		.innerJoin("organizations", "organizations.id", "sites.organization_id")
		.leftJoin("organization_members", (join) =>
			join
				.onRef("organization_members.organization_id", "=", "sites.organization_id")
				.onRef("organization_members.user_id", "=", "users.id"),
		)
		.leftJoin("site_members", (join) =>
			join.onRef("site_members.site_id", "=", "sites.id").onRef("site_members.user_id", "=", "users.id"),
		)
		.select([
			"sites.id",
			"sites.organization_id as organizationId",
			"sites.is_active as isActive",
			"users.role as userRole",
			"organization_members.role as orgRole",
			"site_members.role as siteRole",
			"organizations.is_active as organizationIsActive",
		]);

type SeenSite = Awaited<ReturnType<ReturnType<typeof sitesSeenBy>["executeTakeFirstOrThrow"]>>;

/** A deleted organization leaves its roles without effect; only superadmins still reach its sites. */
const roleOn = (seen: SeenSite): SiteRole | undefined =>
	seen.organizationIsActive === 1 || seen.userRole === "superadmin" ? effectiveRole(seen) : undefined;

/** One site as a user sees it, in one query: undefined = no such site; `role` undefined = out of the user's reach, `organizationRole` null = not a member of its organization. */
export async function findSiteFor(metadata: Metadata, siteId: string, userId: number) {
	// Other texts name no site; some of them PostgreSQL would refuse to compare.
	if (!isSlug(siteId)) return undefined;
	const row = await sitesSeenBy(metadata, userId)
		.select([
			"organizations.plan_tier as planTier",
			"sites.name",
			"sites.timezone",
			"sites.currency",
			"sites.bot_threshold as botThreshold",
		])
		.where("sites.id", "=", siteId)
		.executeTakeFirst();
	if (row === undefined) return undefined;
	const { userRole, orgRole, siteRole, isActive, organizationIsActive, ...facts } = row;
	return {
		...facts,
		isActive: isActive === 1,
		role: roleOn(row),
		organizationRole: userRole === "superadmin" ? ("owner" as const) : orgRole,
	};
}

/** Every site that a user reaches, inactive ones included, by slug. */
export async function reachableSites(metadata: Metadata, userId: number): Promise<ReachableSite[]> {
	const rows = await sitesSeenBy(metadata, userId)
		.where((query) =>
			query.or([
				query("users.role", "=", "superadmin"),
				query("organization_members.role", "in", ["owner", "admin"]),
				query("site_members.role", "is not", null),
			]),
		)
		.orderBy("sites.id")
		.execute();
	return rows.flatMap((row) => {
		const role = roleOn(row);
		const { id, organizationId } = row;
		return role === undefined ? [] : [{ id, organizationId, role, isActive: row.isActive === 1 }];
	});
}

/** The accessible sites of some users, as pairs; the same as `reachableSites`, by the indexes of members. */
function reachOf(metadata: Metadata, userIds: readonly number[]) {
	const db = tables(metadata);
	const asLeader = db
		.selectFrom("organization_members as member")
		.innerJoin("organizations", "organizations.id", "member.organization_id")
		.innerJoin("sites", "sites.organization_id", "organizations.id")
		.where("member.user_id", "in", userIds)
		.where("member.role", "in", ["owner", "admin"])
		.where("organizations.is_active", "=", 1)
		.select(["member.user_id as userId", "sites.id as siteId"]);
	const onSite = db
		.selectFrom("site_members as member")
		.innerJoin("sites", "sites.id", "member.site_id")
		.innerJoin("organizations", "organizations.id", "sites.organization_id")
		.where("member.user_id", "in", userIds)
		.where("organizations.is_active", "=", 1)
		.select(["member.user_id as userId", "sites.id as siteId"]);
	const asSuperadmin = db
		.selectFrom("users")
		.innerJoin("sites", (join) => join.onTrue())
		.where("users.id", "in", userIds)
		.where("users.role", "=", "superadmin")
		.select(["users.id as userId", "sites.id as siteId"]);
	return asLeader.union(onSite).union(asSuperadmin).orderBy("siteId");
}

/** The ids of every site that each of some users reaches, inactive ones included, by slug; users without any are left out. */
export async function reachableSiteIds(
	metadata: Metadata,
	userIds: readonly number[],
): Promise<ReadonlyMap<number, readonly string[]>> {
	const rows = await inChunks(userIds, (some) => reachOf(metadata, some).execute());
	const siteIds = new Map<number, string[]>();
	for (const { userId, siteId } of rows) {
		const known = siteIds.get(userId);
		if (known === undefined) siteIds.set(userId, [siteId]);
		else known.push(siteId);
	}
	return siteIds;
}

/** The sites that a key opens now: those of its owner, cut to the key's own list; by slug. */
export async function reachableSitesOf(
	metadata: Metadata,
	principal: { readonly userId: number; readonly siteIds?: readonly string[] | null },
): Promise<ReachableSite[]> {
	const sites = await reachableSites(metadata, principal.userId);
	const { siteIds } = principal;
	return siteIds ? sites.filter((site) => siteIds.includes(site.id)) : sites;
}

export interface RequestOrganization {
	readonly id: string;
	readonly slug: string;
	readonly name: string;
	/** Role of the calling user or the key's owner; a superadmin counts as an owner. */
	readonly role: OrgRole;
}

/** True when the user has such a role in an organization that exists, a personal one included. */
export async function leadsSome(metadata: Metadata, userId: number, least: OrgRole): Promise<boolean> {
	const rows = await tables(metadata)
		.selectFrom("organization_members")
		.innerJoin("organizations", "organizations.id", "organization_members.organization_id")
		.select("organization_members.role")
		.distinct()
		.where("organization_members.user_id", "=", userId)
		.where("organizations.is_active", "=", 1)
		.execute();
	return rows.some(({ role }) => orgRoleReaches(role, least));
}

/** One organization as a user sees it, in one query: undefined = no such organization, or one that the user does not see. */
export async function findOrganizationFor(
	metadata: Metadata,
	slug: string,
	userId: number,
): Promise<RequestOrganization | undefined> {
	// Other texts name no organization; some of them PostgreSQL would refuse to compare.
	if (!isSlug(slug)) return undefined;
	const row = await tables(metadata)
		.selectFrom("organizations")
		.innerJoin("users", (join) => join.on("users.id", "=", userId))
		.leftJoin("organization_members", (join) =>
			join
				.onRef("organization_members.organization_id", "=", "organizations.id")
				.onRef("organization_members.user_id", "=", "users.id"),
		)
		.where("organizations.slug", "=", slug)
		.select([
			"organizations.id",
			"organizations.slug",
			"organizations.name",
			"organizations.is_active as isActive",
			"users.role as userRole",
			"organization_members.role as orgRole",
		])
		.executeTakeFirst();
	if (row === undefined) return undefined;
	const { id, name, isActive, userRole, orgRole } = row;
	if (userRole === "superadmin") return { id, slug, name, role: "owner" };
	return orgRole === null || isActive !== 1 ? undefined : { id, slug, name, role: orgRole };
}
