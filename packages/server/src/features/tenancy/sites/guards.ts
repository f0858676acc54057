import type { Guard, SiteRole } from "../../../access/index.ts";

/** Reads of one site: any role, or a key with `sites:read`. */
export const readingSite: Guard = {
	kind: "site",
	siteFrom: "path",
	keyScope: "sites:read",
	oauth: "admitted",
	role: "viewer",
	write: false,
};

/** Writes to one site: a session whose user has at least `role` there. */
export const writingSite = (role: SiteRole): Guard => ({
	kind: "site",
	siteFrom: "path",
	keyScope: null,
	role,
	write: true,
});
