import { roleRequired } from "../../../access/index.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import { slugOf } from "../../../platform/lib/slug.ts";
import { isUniqueViolation, type Metadata } from "../../../platform/metadata/metadata.ts";
import { type Actor, actorOf, type ChangeDeps, changedFields } from "../../auditing/audit-log/index.ts";
import { getUser, lockUser, type UserRow } from "../../people/users/index.ts";
import { type Requester, recordOrganization } from "./hold-organization.ts";
import type { PlanTier } from "./plans.ts";
import {
	findOrganization,
	freeSlug,
	insertOrganization,
	invitations,
	membershipsOf,
	type OrganizationRow,
	organizations,
	roleIn,
} from "./store.ts";

export interface CreateOrganizationDeps extends ChangeDeps {
	readonly defaultPlan: PlanTier;
}

/**
 * Creates an organization that the caller owns. A personal one becomes it, with its sites, under a slug made from the name.
 * Throws `email_not_verified`, `conflict` when the caller belongs to one, `forbidden` for users who came by invitation.
 */
export async function createOrganization(
	deps: CreateOrganizationDeps,
	by: Requester,
	name: string,
): Promise<OrganizationRow> {
	for (let attempt = 1; ; attempt++) {
		try {
			return await deps.metadata.transaction().execute(async (metadata) => {
				// Two requests of one user at once must not make two organizations.
				await lockUser(metadata, by.caller.userId);
				const user = await getUser(metadata, by.caller.userId);
				const obstacle = await creationObstacle(metadata, user);
				if (obstacle !== undefined) throw obstacle;
				return store(deps, metadata, { user, actor: actorOf(by), name });
			});
		} catch (error) {
			// Somebody else took the slug in the meantime: look for another.
			if (!isUniqueViolation(error) || attempt === 5) throw error;
		}
	}
}

async function store(
	deps: CreateOrganizationDeps,
	metadata: Metadata,
	{ user, actor, name }: { user: UserRow; actor: Actor; name: string },
): Promise<OrganizationRow> {
	const nowMs = deps.clock.now();
	const slugBase = slugOf(name, "org");
	const [personal] = await membershipsOf(metadata, user.id);
	if (personal === undefined) {
		const input = { slugBase, name, isPersonal: false, plan: deps.defaultPlan, ownerId: user.id, nowMs };
		const made = await insertOrganization(metadata, input);
		const details = { name: made.name, slug: made.slug };
		await recordOrganization(metadata, actor, { action: "organization.created", id: made.id, details }, nowMs);
		return made;
	}
	const slug = await freeSlug(metadata, slugBase);
	const changes = { name, slug, is_personal: 0 };
	const named = await organizations.update(metadata, { id: personal.id }, { ...changes, updated_at: nowMs });
	if (named === undefined) throw new ServiceError("conflict");
	const details = changedFields({ name: personal.name, slug: personal.slug, is_personal: 1 }, changes);
	await recordOrganization(metadata, actor, { action: "organization.updated", id: named.id, details }, nowMs);
	return named;
}

/**
 * Refusal of a user who may not create an organization; undefined = none. The user's own personal one does not
 * count.
 */
export async function creationObstacle(metadata: Metadata, user: UserRow): Promise<ServiceError | undefined> {
	if (user.email_verified_at === null) return new ServiceError("email_not_verified");
	const memberships = await membershipsOf(metadata, user.id);
	if (memberships.some((one) => one.is_personal === 0 || one.role !== "owner")) {
		return new ServiceError("conflict", "You already belong to an organization");
	}
	const invited = await invitations.find(metadata, { accepted_by: user.id, made_user: 1 });
	return invited && new ServiceError("forbidden", "Users who came by invitation cannot create an organization");
}

/** Author of a new site. */
export interface SiteCreator {
	readonly userId: number;
	readonly name: string;
	readonly isSuperadmin: boolean;
}

/**
 * The organization that a new site of this user belongs to: the one asked for, else the user's own; a user without any
 * gets a personal one. Throws `not_found` for an organization that the user does not belong to, `forbidden` for members.
 * Call it inside the transaction that stores the site.
 */
export async function organizationForNewSite(
	metadata: Metadata,
	creator: SiteCreator,
	options: { orgId: string | null; plan: PlanTier; nowMs: number },
): Promise<OrganizationRow> {
	if (options.orgId !== null) return chosen(metadata, creator, options.orgId);
	const own = await ownOrganization(metadata, creator);
	if (own !== undefined) return own;
	// Two first sites at once must not make two organizations.
	await lockUser(metadata, creator.userId);
	const made = await ownOrganization(metadata, creator);
	if (made !== undefined) return made;
	return insertOrganization(metadata, {
		slugBase: slugOf(creator.name, "org"),
		name: creator.name,
		isPersonal: true,
		plan: options.plan,
		ownerId: creator.userId,
		nowMs: options.nowMs,
	});
}

async function ownOrganization(metadata: Metadata, creator: SiteCreator): Promise<OrganizationRow | undefined> {
	const memberships = await membershipsOf(metadata, creator.userId);
	const own = memberships.find(({ role }) => role !== "member");
	if (own === undefined && memberships.length > 0 && !creator.isSuperadmin) throw roleRequired("admin");
	return own;
}

async function chosen(metadata: Metadata, creator: SiteCreator, orgId: string): Promise<OrganizationRow> {
	const organization = await findOrganization(metadata, orgId);
	const role = await roleIn(metadata, orgId, creator.userId);
	const isVisible = creator.isSuperadmin || role !== undefined;
	if (organization === undefined || organization.is_active !== 1 || !isVisible) {
		throw new ServiceError("not_found", "Organization not found");
	}
	if (!creator.isSuperadmin && role === "member") throw roleRequired("admin");
	return organization;
}
