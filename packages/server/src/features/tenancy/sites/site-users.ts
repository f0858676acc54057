import { type Static, Type } from "typebox";
import {
	effectiveRole,
	findSiteFor,
	type RequestSite,
	roleReaches,
	roleRequired,
	type SiteRole,
	siteRoles,
} from "../../../access/index.ts";
import { orThrow, ServiceError } from "../../../platform/errors/service-error.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { Id, OneOf, Timestamp } from "../../../platform/http/schemas.ts";
import { timestamp } from "../../../platform/lib/timestamp.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { ChangeDeps } from "../../auditing/audit-log/index.ts";
import { findUser } from "../../people/users/index.ts";
import { lockOrganization, type Requester, recordRole } from "../organizations/index.ts";
import { isKnownUser, leadersOnSites, usersOnSite } from "./members-store.ts";
import { readingSite, siteRole, writingSite } from "./schemas.ts";
import { siteMembers } from "./store.ts";

const User = Type.Object({
	user_id: Type.Integer(),
	email: Type.String(),
	name: Type.String(),
	role: siteRole(),
	via: OneOf(["organization", "site"], {
		description:
			"`organization`: the role comes from being an owner or admin of the organization, and is changed there",
	}),
	created_at: Timestamp(),
});
const UserParams = Type.Object({ id: Type.String(), user_id: Id() });

const writing = writingSite("admin");

export function registerSiteUsers(app: App, deps: ChangeDeps): void {
	addRoute(app, "GET /sites/:id/users", {
		...readingSite,
		summary: "Users with access to a site",
		list: ["users", User],
		handler: async (request) => (await listSiteUsers(deps.metadata, request.site)).map(present),
	});
	addRoute(app, "POST /sites/:id/users", {
		...writing,
		summary: "Give a user of the organization a role on a site",
		body: Type.Object({ user_id: Id(), role: OneOf([...siteRoles], { default: "viewer" }) }),
		status: 201,
		data: User,
		errors: ["duplicate_entry"],
		handler: async (request) => {
			const { user_id: userId, role } = request.body;
			return present(await addSiteUser(deps, request, { site: request.site, userId, role }));
		},
	});
	addRoute(app, "PATCH /sites/:id/users/:user_id", {
		...writing,
		summary: "Change a user's role on a site",
		params: UserParams,
		body: Type.Object({ role: siteRole() }),
		data: User,
		errors: ["bad_request", "conflict"],
		handler: async (request) => {
			const input = { site: request.site, userId: request.params.user_id, role: request.body.role };
			return present(await changeSiteUser(deps, request, input));
		},
	});
	addRoute(app, "DELETE /sites/:id/users/:user_id", {
		...writing,
		summary: "Remove a user's role on a site",
		params: UserParams,
		data: Type.Object({ removed: Type.Literal(true), user_id: Type.Integer() }),
		errors: ["bad_request", "conflict"],
		handler: async (request) => {
			const { user_id: userId } = request.params;
			await removeSiteUser(deps, request, { site: request.site, userId });
			return { removed: true as const, user_id: userId };
		},
	});
}

const present = ({ userId, email, name, role, leadsOrganization, createdAt }: SiteUser): Static<typeof User> => ({
	user_id: userId,
	email,
	name,
	role,
	via: leadsOrganization ? "organization" : "site",
	created_at: timestamp(createdAt),
});

interface SiteUser {
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

type SiteOf = Pick<RequestSite, "id" | "organizationId">;

interface UserOf {
	readonly site: SiteOf;
	readonly userId: number;
}

interface RoleOf extends UserOf {
	readonly role: SiteRole;
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
const addSiteUser = (deps: ChangeDeps, by: Requester, { site, userId, role }: RoleOf): Promise<SiteUser> =>
	changeUsers(deps, by, { site, userId }, async (metadata, callerRole, nowMs) => {
		checkCeiling(callerRole, role);
		const { organizationId } = site;
		if (!(await mayAddUser(metadata, by, { organizationId, userId }))) throw new ServiceError("user_not_found");
		if ((await findSiteUser(metadata, site, userId)) !== undefined) {
			throw new ServiceError("duplicate_entry", "The user already has a role on this site");
		}
		await siteMembers.insert(metadata, { site_id: site.id, user_id: userId, role, created_at: nowMs });
		return { answer: await requireSiteUser(metadata, site, userId), verb: "created", role: [null, role] };
	});

/**
 * Gives a user another role on a site. Throws `user_not_found`, `forbidden` when an admin touches or makes an owner,
 * `bad_request` for the last owner, `conflict` when the role follows from the organization.
 */
const changeSiteUser = (deps: ChangeDeps, by: Requester, { site, userId, role }: RoleOf): Promise<SiteUser> =>
	changeUsers(deps, by, { site, userId }, async (metadata, callerRole) => {
		const user = await requireSiteUser(metadata, site, userId);
		checkCeiling(callerRole, user.role, role);
		if (user.role === role) return { answer: user };
		await checkRemovable(metadata, site, user);
		await siteMembers.update(metadata, { site_id: site.id, user_id: userId }, { role });
		return { answer: { ...user, role }, verb: "updated", role: [user.role, role] };
	});

/** Takes a user's role on a site away; throws as `changeSiteUser` does. */
const removeSiteUser = (deps: ChangeDeps, by: Requester, { site, userId }: UserOf): Promise<void> =>
	changeUsers(deps, by, { site, userId }, async (metadata, callerRole) => {
		const user = await requireSiteUser(metadata, site, userId);
		checkCeiling(callerRole, user.role);
		await checkRemovable(metadata, site, user);
		await siteMembers.delete(metadata, { site_id: site.id, user_id: userId });
		return { answer: undefined, verb: "deleted", role: [user.role, null] };
	});

/** Result of a change, with the role of the user before and after it. */
interface RoleChange<T> {
	readonly answer: T;
	readonly verb?: "created" | "updated" | "deleted";
	readonly role?: readonly [SiteRole | null, SiteRole | null];
}

/** Runs a change with the organization locked, with the role that the caller has on the site then, and records it. */
function changeUsers<T>(
	deps: ChangeDeps,
	by: Requester,
	{ site, userId }: UserOf,
	change: (metadata: Metadata, callerRole: SiteRole, nowMs: number) => Promise<RoleChange<T>>,
): Promise<T> {
	const nowMs = deps.clock.now();
	return deps.metadata.transaction().execute(async (metadata) => {
		const { id: siteId, organizationId } = site;
		await lockOrganization(metadata, organizationId);
		const callerRole = (await findSiteFor(metadata, siteId, by.caller.userId))?.role;
		if (callerRole === undefined || !roleReaches(callerRole, "admin")) throw roleRequired("admin");
		const { answer, verb, role } = await change(metadata, callerRole, nowMs);
		if (verb !== undefined && role !== undefined) {
			const entry = { action: `member.${verb}`, organizationId, siteId, userId, role } as const;
			await recordRole(metadata, by, entry, nowMs);
		}
		return answer;
	});
}

function checkCeiling(callerRole: SiteRole, ...touched: SiteRole[]): void {
	if (touched.includes("owner") && callerRole !== "owner") throw roleRequired("owner");
}

const findSiteUser = async (metadata: Metadata, site: SiteOf, userId: number) =>
	(await listSiteUsers(metadata, site)).find((user) => user.userId === userId);

const requireSiteUser = async (metadata: Metadata, site: SiteOf, userId: number): Promise<SiteUser> =>
	orThrow(await findSiteUser(metadata, site, userId), "user_not_found");

async function checkRemovable(metadata: Metadata, site: SiteOf, user: SiteUser): Promise<void> {
	const others = (await listSiteUsers(metadata, site)).filter(({ userId }) => userId !== user.userId);
	const isLastOwner = user.role === "owner" && !others.some((other) => other.role === "owner" && other.isActive === 1);
	if (isLastOwner) throw new ServiceError("bad_request", "A site needs an owner");
	if (user.leadsOrganization) {
		throw new ServiceError("conflict", "Change the role of an owner or admin in the organization");
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
