import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { ChangeDeps } from "../../auditing/audit-log/index.ts";
import { checkOwnerCeiling, holdOrganization, type Requester, recordRole, roleIn } from "../organizations/index.ts";
import { deleteSiteMember, insertSiteMember, siteRolesIn, sitesOfOrganization } from "../sites/index.ts";
import type { MemberOf } from "./change-members.ts";

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
