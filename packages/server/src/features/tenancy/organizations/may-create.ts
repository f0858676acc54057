import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { UserRow } from "../../people/users/index.ts";
import { cameByInvitation } from "./invitations-store.ts";
import { membershipsOf } from "./store.ts";

/** Why a user may not create an organization. */
export type CreationObstacle = "email_not_verified" | "belongs_to_one" | "came_by_invitation";

/**
 * Obstacle that prevents a user from creating an organization; undefined = none. The user's own personal one does not
 * count.
 */
export async function creationObstacle(metadata: Metadata, user: UserRow): Promise<CreationObstacle | undefined> {
	if (user.email_verified_at === null) return "email_not_verified";
	const memberships = await membershipsOf(metadata, user.id);
	if (memberships.some((one) => one.is_personal === 0 || one.role !== "owner")) return "belongs_to_one";
	return (await cameByInvitation(metadata, user.id)) ? "came_by_invitation" : undefined;
}
