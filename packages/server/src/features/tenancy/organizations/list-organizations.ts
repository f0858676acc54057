import { type Caller, reachableSitesOf } from "../../../access/index.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { findUser } from "../../people/users/index.ts";
import { describeOrganizations } from "./describe-organizations.ts";
import { creationObstacle } from "./may-create.ts";
import { listOrganizations, membershipsOf, type OrganizationRow } from "./store.ts";

/** The organizations that a caller sees, and whether the caller may create one. A superadmin sees all, deleted ones too. */
export async function organizationsSeenBy(metadata: Metadata, caller: Caller) {
	const user = await findUser(metadata, caller.userId);
	if (user === undefined) throw new ServiceError("user_not_found");
	const seen =
		user.role === "superadmin" ? await listOrganizations(metadata) : await membershipsOf(metadata, caller.userId);
	const opened = await openedBy(metadata, caller, seen);
	return {
		organizations: await describeOrganizations(metadata, opened, caller.userId),
		canCreate: (await creationObstacle(metadata, user)) === undefined,
	};
}

/** A key that is restricted to sites opens the organizations of those sites only. */
async function openedBy(
	metadata: Metadata,
	caller: Caller,
	organizations: readonly OrganizationRow[],
): Promise<readonly OrganizationRow[]> {
	if (caller.kind === "session" || caller.siteIds === null) return organizations;
	const reach = await reachableSitesOf(metadata, caller);
	const open = new Set(reach.map(({ organizationId }) => organizationId));
	return organizations.filter(({ id }) => open.has(id));
}
