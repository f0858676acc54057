import type { OrgRole } from "../../../access/index.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { ChangeDeps } from "../../auditing/audit-log/index.ts";
import {
	changeOrganization,
	checkOwnerCeiling,
	checkSeats,
	hasOtherOwner,
	organizationMembers,
	type Requester,
	recordRole,
	roleIn,
} from "../organizations/index.ts";
import { deleteSiteMembersOf, mayAddUser, siteMembers, siteRolesIn, sitesOfOrganization } from "../sites/index.ts";

interface MemberOf {
	readonly organizationId: string;
	readonly userId: number;
}

/**
 * Makes a user a member: one whom `mayAddUser` admits; all others are invited.
 * Throws `user_not_found`, `duplicate_entry`, `quota_exceeded`, and `forbidden` when an admin makes an owner.
 */
export const addMember = (deps: ChangeDeps, by: Requester, input: MemberOf & { readonly role: OrgRole }) =>
	changeOrganization(deps, by, input, async (trx, held, nowMs) => {
		const { role } = input;
		checkOwnerCeiling(held.role, role);
		if (!(await mayAddUser(trx, by, input))) throw new ServiceError("user_not_found");
		if ((await roleIn(trx, input.organizationId, input.userId)) !== undefined) {
			throw new ServiceError("duplicate_entry", { message: "The user is already a member" });
		}
		await checkSeats(trx, held.organization, { nowMs });
		await organizationMembers.insert(trx, { ...columnsOf(input), role, created_at: nowMs });
		return { answer: undefined, entry: entryOf("created", input, [null, role]) };
	});

/**
 * Gives a member another role. Throws `user_not_found`, `forbidden` when an admin touches or makes an owner, and
 * `bad_request` for the last owner.
 */
export const changeMember = (deps: ChangeDeps, by: Requester, input: MemberOf & { readonly role: OrgRole }) =>
	changeOrganization(deps, by, input, async (trx, held) => {
		const { role } = input;
		const before = await memberRole(trx, input);
		checkOwnerCeiling(held.role, before, role);
		if (before === role) return { answer: undefined };
		await checkOwnerRemains(trx, input, before);
		await organizationMembers.update(trx, columnsOf(input), { role });
		return { answer: undefined, entry: entryOf("updated", input, [before, role]) };
	});

/**
 * Ends a membership with all roles on the organization's sites; everybody may end their own. Throws `user_not_found`,
 * `forbidden` for members and when an admin removes an owner, and `bad_request` for the last owner.
 */
export function removeMember(deps: ChangeDeps, by: Requester, input: MemberOf) {
	const least = by.caller.userId === input.userId ? "member" : "admin";
	return changeOrganization(deps, by, { ...input, least }, async (trx, held) => {
		const before = await memberRole(trx, input);
		checkOwnerCeiling(held.role, before);
		await checkOwnerRemains(trx, input, before);
		await organizationMembers.delete(trx, columnsOf(input));
		await deleteSiteMembersOf(trx, input.organizationId, input.userId);
		return { answer: undefined, entry: entryOf("deleted", input, [before, null]) };
	});
}

const columnsOf = ({ organizationId, userId }: MemberOf) => ({ organization_id: organizationId, user_id: userId });

const entryOf = (verb: "created" | "updated" | "deleted", { userId }: MemberOf, role: [string | null, string | null]) =>
	({ action: `member.${verb}`, resourceId: userId, details: { role } }) as const;

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

/** Gives a member a role on sites of the organization; roles held stay. Throws `user_not_found` and `forbidden`. */
export const assignSites = (
	deps: ChangeDeps,
	by: Requester,
	input: MemberOf & { readonly siteIds: readonly string[]; readonly role: "editor" | "viewer" },
): Promise<Record<"added" | "already_assigned" | "invalid", string[]>> =>
	changeOrganization(deps, by, input, async (trx, held, nowMs) => {
		const { organizationId, userId, role } = input;
		const orgRole = await memberRole(trx, input);
		checkOwnerCeiling(held.role, orgRole);
		const known = new Set((await sitesOfOrganization(trx, organizationId)).map(({ id }) => id));
		const given = await siteRolesIn(trx, organizationId);
		const own = new Set(given.filter((row) => row.userId === userId).map(({ siteId }) => siteId));
		const asked = [...new Set(input.siteIds)];
		const reaches = (id: string) => orgRole !== "member" || own.has(id);
		const added = asked.filter((id) => known.has(id) && !reaches(id));
		for (const siteId of added) {
			await siteMembers.insert(trx, { site_id: siteId, user_id: userId, role, created_at: nowMs });
			const entry = { action: "member.created", organizationId, siteId, userId, role: [null, role] } as const;
			await recordRole(trx, by, entry, nowMs);
		}
		const already_assigned = asked.filter((id) => known.has(id) && reaches(id));
		return { answer: { added, already_assigned, invalid: asked.filter((id) => !known.has(id)) } };
	});

/**
 * Takes the role that a member was given on a site away. Throws `user_not_found`, `not_found` when there is none, and
 * `forbidden` when an admin touches an owner of the organization or the site.
 */
export const unassignSite = (
	deps: ChangeDeps,
	by: Requester,
	input: MemberOf & { readonly siteId: string },
): Promise<void> =>
	changeOrganization(deps, by, input, async (trx, held) => {
		const { userId, siteId } = input;
		const orgRole = await memberRole(trx, input);
		const given = await siteRolesIn(trx, input.organizationId);
		const role = given.find((row) => row.userId === userId && row.siteId === siteId)?.role;
		if (role === undefined) throw new ServiceError("not_found", { message: "The member has no role on this site" });
		checkOwnerCeiling(held.role, orgRole, role === "owner" ? "owner" : "member");
		await siteMembers.delete(trx, { site_id: siteId, user_id: userId });
		return { answer: undefined, entry: { ...entryOf("deleted", input, [role, null]), siteId } };
	});
