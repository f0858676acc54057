import type { Guard, OrgRole } from "../../../access/index.ts";

/** Reads of one organization that its members may do: a session, or a key with `accounts:read`. */
export const readingOrganization: Guard = {
	kind: "organization",
	keyScope: "accounts:read",
	role: "member",
	write: false,
};

/** Reads that keys do not open. */
export const readingOrganizationAs = (role: OrgRole): Guard => ({
	kind: "organization",
	keyScope: null,
	role,
	write: false,
});

/** Writes to one organization: a session whose user has at least `role` there. */
export const writingOrganization = (role: OrgRole): Guard => ({
	kind: "organization",
	keyScope: null,
	role,
	write: true,
});
