import type { Guard } from "../../../access/index.ts";

/** Reports of one site: any role, a key with `stats:read`, or an app. */
export const readingReports: Guard = {
	kind: "site",
	siteFrom: "query",
	keyScope: "stats:read",
	oauth: "admitted",
	role: "viewer",
	write: false,
};
