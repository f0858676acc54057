import { type Caller, effectiveRole, findSiteFor, roleReaches, type SiteRole } from "../../../access/index.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { ChangeDeps } from "../../auditing/audit-log/index.ts";
import { findUser } from "../../people/users/index.ts";
import { lockOrganization, type Requester, recordRole } from "../organizations/index.ts";
import {
	deleteSiteMember,
	insertSiteMember,
	isKnownUser,
	leadersOnSites,
	updateSiteMember,
	usersOnSite,
} from "./members-store.ts";

export interface SiteUser {
	readonly userId: number;
	readonly email: string;
	readonly name: string;
	/** The highest of the roles held. */
	readonly role: SiteRole;
	readonly createdAt: number;
	readonly isActive: number;
	/** True for owners and admins of the organization: their role here follows from that. */
	readonly leadsOrganization: boolean;
}

interface SiteOf {
	readonly id: string;
	readonly organizationId: string;
}

/** Everybody who reaches a site by a role there or in its organization, oldest first. */
export async function listSiteUsers(metadata: Metadata, site: SiteOf): Promise<SiteUser[]> {
	const leaders = await leadersOnSites(metadata, site.organizationId);
	const users = new Map(
		leaders.map((leader): [number, SiteUser] => [leader.userId, { ...leader, leadsOrganization: true }]),
	);
	for (const user of await usersOnSite(metadata, site.id)) {
		const leader = leaders.find(({ userId }) => userId === user.userId);
		const orgRole = leader?.role ?? null;
		const role = effectiveRole({ userRole: "user", orgRole, siteRole: user.role }) ?? user.role;
		users.set(user.userId, { ...(leader ?? user), role, leadsOrganization: leader !== undefined });
	}
	return [...users.values()].sort((a, b) => a.createdAt - b.createdAt || a.userId - b.userId);
}

/**
 * Gives a user a role on a site: one whom `mayAddUser` admits. Throws `user_not_found`, `duplicate_entry`, and `forbidden` when an admin makes an owner.
 */
export function addSiteUser(
	deps: ChangeDeps,
	by: Requester,
	input: { readonly site: SiteOf; readonly userId: number; readonly role: SiteRole },
): Promise<SiteUser> {
	const { site, userId, role } = input;
	const of = { organizationId: site.organizationId, siteId: site.id, userId };
	return changeUsers(deps, by, site, async (metadata, callerRole, nowMs) => {
		checkCeiling(callerRole, role);
		if (!(await mayAddUser(metadata, by, of))) throw new ServiceError("user_not_found");
		if ((await findSiteUser(metadata, site, userId)) !== undefined) {
			throw new ServiceError("duplicate_entry", { message: "The user already has a role on this site" });
		}
		await insertSiteMember(metadata, { siteId: site.id, userId, role, nowMs });
		await recordRole(metadata, by, { action: "member.created", ...of, role: [null, role] }, nowMs);
		return requireSiteUser(metadata, site, userId);
	});
}

/**
 * Gives a user another role on a site. Throws `user_not_found`, `forbidden` when an admin touches or makes an owner,
 * `bad_request` for the last owner, `conflict` when the role follows from the organization.
 */
export function changeSiteUser(
	deps: ChangeDeps,
	by: Requester,
	input: { readonly site: SiteOf; readonly userId: number; readonly role: SiteRole },
): Promise<SiteUser> {
	const { site, userId, role } = input;
	const of = { organizationId: site.organizationId, siteId: site.id, userId };
	return changeUsers(deps, by, site, async (metadata, callerRole, nowMs) => {
		const user = await requireSiteUser(metadata, site, userId);
		checkCeiling(callerRole, user.role, role);
		if (user.role === role) return user;
		await checkRemovable(metadata, site, user);
		await updateSiteMember(metadata, site.id, userId, role);
		await recordRole(metadata, by, { action: "member.updated", ...of, role: [user.role, role] }, nowMs);
		return { ...user, role };
	});
}

/** Takes a user's role on a site away; throws as `changeSiteUser` does. */
export function removeSiteUser(
	deps: ChangeDeps,
	by: Requester,
	input: { readonly site: SiteOf; readonly userId: number },
): Promise<void> {
	const { site, userId } = input;
	const of = { organizationId: site.organizationId, siteId: site.id, userId };
	return changeUsers(deps, by, site, async (metadata, callerRole, nowMs) => {
		const user = await requireSiteUser(metadata, site, userId);
		checkCeiling(callerRole, user.role);
		await checkRemovable(metadata, site, user);
		await deleteSiteMember(metadata, site.id, userId);
		await recordRole(metadata, by, { action: "member.deleted", ...of, role: [user.role, null] }, nowMs);
	});
}

/** Runs a change with the organization locked, with the role that the caller has on the site then. */
function changeUsers<T>(
	deps: ChangeDeps,
	{ caller }: { readonly caller: Caller },
	site: SiteOf,
	change: (metadata: Metadata, callerRole: SiteRole, nowMs: number) => Promise<T>,
): Promise<T> {
	const nowMs = deps.clock.now();
	return deps.metadata.transaction().execute(async (metadata) => {
		await lockOrganization(metadata, site.organizationId);
		const role = (await findSiteFor(metadata, site.id, caller.userId))?.role;
		if (role === undefined || !roleReaches(role, "admin")) throw roleRequired("admin");
		return change(metadata, role, nowMs);
	});
}

const roleRequired = (role: SiteRole) => new ServiceError("forbidden", { message: `Required role: ${role}` });

function checkCeiling(callerRole: SiteRole, ...touched: SiteRole[]): void {
	if (touched.includes("owner") && callerRole !== "owner") throw roleRequired("owner");
}

const findSiteUser = async (metadata: Metadata, site: SiteOf, userId: number) =>
	(await listSiteUsers(metadata, site)).find((user) => user.userId === userId);

async function requireSiteUser(metadata: Metadata, site: SiteOf, userId: number): Promise<SiteUser> {
	const user = await findSiteUser(metadata, site, userId);
	if (user === undefined) throw new ServiceError("user_not_found");
	return user;
}

async function checkRemovable(metadata: Metadata, site: SiteOf, user: SiteUser): Promise<void> {
	const others = (await listSiteUsers(metadata, site)).filter(({ userId }) => userId !== user.userId);
	const isLastOwner = user.role === "owner" && !others.some((other) => other.role === "owner" && other.isActive === 1);
	if (isLastOwner) throw new ServiceError("bad_request", { message: "A site needs an owner" });
	if (user.leadsOrganization) {
		throw new ServiceError("conflict", {
			message: "Change the role of an owner or admin in the organization",
		});
	}
}

/**
 * Whether a caller may give a user a role in an organization or on a site of it: an active one who has a role in either
 * already. All others do not exist for the caller, so that ids cannot be tried out, but for a superadmin, who sees them anyway.
 */
export async function mayAddUser(
	metadata: Metadata,
	{ caller }: Pick<Requester, "caller">,
	{ organizationId, userId }: { readonly organizationId: string; readonly userId: number },
): Promise<boolean> {
	if (await isKnownUser(metadata, organizationId, userId)) return true;
	if (caller.kind !== "session" || caller.role !== "superadmin") return false;
	return (await findUser(metadata, userId))?.is_active === 1;
}
