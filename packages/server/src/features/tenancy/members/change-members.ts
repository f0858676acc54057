import type { OrgRole } from "../../../access/index.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { ChangeDeps } from "../../auditing/audit-log/index.ts";
import {
	checkOwnerCeiling,
	checkSeats,
	deleteMember,
	hasOtherOwner,
	holdOrganization,
	insertMember,
	type Requester,
	recordRole,
	roleIn,
	updateMemberRole,
} from "../organizations/index.ts";
import {
	deleteSiteMember,
	deleteSiteMembersOf,
	insertSiteMember,
	mayAddUser,
	siteRolesIn,
	sitesOfOrganization,
} from "../sites/index.ts";

interface MemberOf {
	readonly organizationId: string;
	readonly userId: number;
}

/**
 * Makes a user a member: one whom `mayAddUser` admits; all others are invited.
 * Throws `user_not_found`, `duplicate_entry`, `quota_exceeded`, and `forbidden` when an admin makes an owner.
 */
export async function addMember(deps: ChangeDeps, by: Requester, input: MemberOf & { readonly role: OrgRole }) {
	const { organizationId, userId, role } = input;
	const nowMs = deps.clock.now();
	await deps.metadata.transaction().execute(async (metadata) => {
		const held = await holdOrganization(metadata, organizationId, by.caller, "admin");
		checkOwnerCeiling(held.role, role);
		if (!(await mayAddUser(metadata, by, input))) throw new ServiceError("user_not_found");
		if ((await roleIn(metadata, organizationId, userId)) !== undefined) {
			throw new ServiceError("duplicate_entry", { message: "The user is already a member" });
		}
		await checkSeats(metadata, held.organization, { nowMs });
		await insertMember(metadata, { organizationId, userId, role, nowMs });
		await recordRole(metadata, by, { action: "member.created", organizationId, userId, role: [null, role] }, nowMs);
	});
}

/**
 * Gives a member another role. Throws `user_not_found`, `forbidden` when an admin touches or makes an owner, and
 * `bad_request` for the last owner.
 */
export async function changeMember(deps: ChangeDeps, by: Requester, input: MemberOf & { readonly role: OrgRole }) {
	const { organizationId, userId, role } = input;
	const nowMs = deps.clock.now();
	await deps.metadata.transaction().execute(async (metadata) => {
		const held = await holdOrganization(metadata, organizationId, by.caller, "admin");
		const before = await memberRole(metadata, input);
		checkOwnerCeiling(held.role, before, role);
		if (before === role) return;
		await checkOwnerRemains(metadata, input, before);
		await updateMemberRole(metadata, organizationId, userId, role);
		await recordRole(metadata, by, { action: "member.updated", organizationId, userId, role: [before, role] }, nowMs);
	});
}

/**
 * Ends a membership with all roles on the organization's sites; everybody may end their own. Throws `user_not_found`,
 * `forbidden` for members and when an admin removes an owner, and `bad_request` for the last owner.
 */
export async function removeMember(deps: ChangeDeps, by: Requester, input: MemberOf) {
	const { organizationId, userId } = input;
	const nowMs = deps.clock.now();
	const isLeaving = by.caller.userId === userId;
	await deps.metadata.transaction().execute(async (metadata) => {
		const held = await holdOrganization(metadata, organizationId, by.caller, isLeaving ? "member" : "admin");
		const before = await memberRole(metadata, input);
		checkOwnerCeiling(held.role, before);
		await checkOwnerRemains(metadata, input, before);
		await deleteMember(metadata, organizationId, userId);
		await deleteSiteMembersOf(metadata, organizationId, userId);
		await recordRole(metadata, by, { action: "member.deleted", organizationId, userId, role: [before, null] }, nowMs);
	});
}

async function memberRole(metadata: Metadata, { organizationId, userId }: MemberOf): Promise<OrgRole> {
	const role = await roleIn(metadata, organizationId, userId);
	if (role === undefined) throw new ServiceError("user_not_found");
	return role;
}

async function checkOwnerRemains(metadata: Metadata, member: MemberOf, role: OrgRole): Promise<void> {
	if (role === "owner" && !(await hasOtherOwner(metadata, member.organizationId, member.userId))) {
		throw new ServiceError("bad_request", { message: "An organization needs an owner" });
	}
}

interface Assignment {
	readonly added: readonly string[];
	readonly alreadyAssigned: readonly string[];
	/** Not sites of the organization. */
	readonly invalid: readonly string[];
}

/** Gives a member a role on sites of the organization; roles held stay. Throws `user_not_found` and `forbidden`. */
export async function assignSites(
	deps: ChangeDeps,
	by: Requester,
	input: MemberOf & { readonly siteIds: readonly string[]; readonly role: "editor" | "viewer" },
): Promise<Assignment> {
	const { organizationId, userId, role } = input;
	const nowMs = deps.clock.now();
	return deps.metadata.transaction().execute(async (metadata) => {
		const held = await holdOrganization(metadata, organizationId, by.caller, "admin");
		const orgRole = await roleIn(metadata, organizationId, userId);
		if (orgRole === undefined) throw new ServiceError("user_not_found");
		checkOwnerCeiling(held.role, orgRole);
		const known = new Set((await sitesOfOrganization(metadata, organizationId)).map(({ id }) => id));
		const given = await siteRolesIn(metadata, organizationId);
		const own = new Set(given.filter((row) => row.userId === userId).map(({ siteId }) => siteId));
		const asked = [...new Set(input.siteIds)];
		const reaches = (id: string) => orgRole !== "member" || own.has(id);
		const added = asked.filter((id) => known.has(id) && !reaches(id));
		for (const siteId of added) {
			await insertSiteMember(metadata, { siteId, userId, role, nowMs });
			const entry = { action: "member.created", organizationId, siteId, userId, role: [null, role] } as const;
			await recordRole(metadata, by, entry, nowMs);
		}
		return {
			added,
			alreadyAssigned: asked.filter((id) => known.has(id) && reaches(id)),
			invalid: asked.filter((id) => !known.has(id)),
		};
	});
}

/**
 * Takes the role that a member was given on a site away. Throws `user_not_found`, `not_found` when there is none, and
 * `forbidden` when an admin touches an owner of the organization or the site.
 */
export async function unassignSite(
	deps: ChangeDeps,
	by: Requester,
	input: MemberOf & { readonly siteId: string },
): Promise<void> {
	const { organizationId, userId, siteId } = input;
	const nowMs = deps.clock.now();
	await deps.metadata.transaction().execute(async (metadata) => {
		const held = await holdOrganization(metadata, organizationId, by.caller, "admin");
		const orgRole = await roleIn(metadata, organizationId, userId);
		if (orgRole === undefined) throw new ServiceError("user_not_found");
		const given = await siteRolesIn(metadata, organizationId);
		const role = given.find((row) => row.userId === userId && row.siteId === siteId)?.role;
		if (role === undefined) throw new ServiceError("not_found", { message: "The member has no role on this site" });
		checkOwnerCeiling(held.role, orgRole, role === "owner" ? "owner" : "member");
		await deleteSiteMember(metadata, siteId, userId);
		const entry = { action: "member.deleted", organizationId, siteId, userId, role: [role, null] } as const;
		await recordRole(metadata, by, entry, nowMs);
	});
}
