import { writeRoles } from "./api.generated.ts";

const ranks = ["viewer", "editor", "admin", "owner"] as const;
/** A user's role on a site, the least first. */
export type Role = (typeof ranks)[number];

/** True when a role is at least as much as another. */
export const reaches = (role: string, least: string): boolean =>
	ranks.indexOf(role as Role) >= ranks.indexOf(least as Role);

/** True if a role permits a write of the API. Controls for writes that are not permitted are hidden. */
export const may = (write: keyof typeof writeRoles, role: string): boolean => reaches(role, writeRoles[write]);
