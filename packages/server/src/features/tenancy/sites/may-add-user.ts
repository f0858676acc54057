import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { findUser } from "../../people/users/index.ts";
import type { Requester } from "../organizations/index.ts";
import { isKnownUser } from "./members-store.ts";

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
