import { findSiteFor } from "../../../../access/index.ts";
import type { Metadata } from "../../../../platform/metadata/metadata.ts";
import { findUser } from "../../../people/users/index.ts";
import type { GrantRow } from "../grants/grants-store.ts";

/** True while the user who approved is active and still reaches the site. */
export async function isStillHeld(metadata: Metadata, grant: GrantRow): Promise<boolean> {
	const user = await findUser(metadata, grant.user_id);
	if (user?.is_active !== 1) return false;
	return (await findSiteFor(metadata, grant.site_id, grant.user_id))?.role !== undefined;
}
