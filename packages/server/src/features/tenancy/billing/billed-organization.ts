import { Type } from "typebox";
import type { Caller, Guard } from "../../../access/index.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { findOrganization, membershipsOf, type OrganizationRow, roleIn } from "../organizations/index.ts";

export const org = {
	org_id: Type.Optional(Type.String({ format: "uuid", description: "Organization; the caller's own by default" })),
};

const ofOwners = (scope: "read" | "write") => {
	const guard: Guard = { kind: "session", billing: true, impersonation: "refused", scope };
	return { tags: ["Billing"], querystring: Type.Object(org), guard };
};

/** A route that reads what owners see of an organization's billing. */
export const readingBilling = ofOwners("read");

/** A route that changes it. */
export const writingBilling = ofOwners("write");

/**
 * The organization that a request on billing is about: the one that it names, else the first that its caller owns. Throws
 * `not_found` where the caller does not belong to it, and `forbidden` where they do not own it.
 */
export async function billedOrganization(
	metadata: Metadata,
	{ caller, query }: { readonly caller: Caller; readonly query: { readonly org_id?: string } },
): Promise<OrganizationRow> {
	const { org_id: organizationId } = query;
	if (organizationId === undefined) {
		const own = (await membershipsOf(metadata, caller.userId)).find(({ role }) => role === "owner");
		if (own === undefined) throw notFound();
		return own;
	}
	const found = await findOrganization(metadata, organizationId);
	if (found === undefined) throw notFound();
	if (caller.kind === "session" && caller.role === "superadmin") return found;
	const role = await roleIn(metadata, found.id, caller.userId);
	if (role === undefined || found.is_active !== 1) throw notFound();
	if (role !== "owner") throw new ServiceError("forbidden", "Required role: owner");
	return found;
}

const notFound = () => new ServiceError("not_found", "Organization not found");
