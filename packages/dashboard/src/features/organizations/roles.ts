import { call } from "../../api/client.ts";
import type { OrgRole } from "./queries.ts";

/** A role on one site; null = none. */
export type SiteRole = "viewer" | "editor" | "admin" | "owner";
export const siteRoles: readonly SiteRole[] = ["viewer", "editor", "admin", "owner"];

/** Roles that somebody may give: owners are made by owners. */
export const grantable = (role: OrgRole): readonly OrgRole[] =>
	role === "owner" ? ["member", "admin", "owner"] : ["member", "admin"];

/** A change of a member's role on a site. */
interface SiteRoleChange {
	readonly slug: string;
	readonly userId: number;
	readonly siteId: string;
	readonly from: SiteRole | null;
	readonly to: SiteRole | null;
}

/** Gives a member another role on a site, a first one, or none. */
export async function changeSiteRole({ slug, userId, siteId, from, to }: SiteRoleChange): Promise<unknown> {
	if (from === to) return;
	if (to === null) {
		return call("DELETE /organizations/{slug}/members/{user_id}/sites/{site_id}", {
			path: { slug, user_id: userId, site_id: siteId },
		});
	}
	if (from === null)
		return call("POST /sites/{id}/users", { path: { id: siteId }, body: { user_id: userId, role: to } });
	return call("PATCH /sites/{id}/users/{user_id}", { path: { id: siteId, user_id: userId }, body: { role: to } });
}
