import type { Guard, ShareList } from "../../../access/index.ts";

/** Reports of one site: any role, a key with `stats:read`, or an app. */
export const readingReports: Extract<Guard, { kind: "site" }> = {
	kind: "site",
	siteFrom: "query",
	keyScope: "stats:read",
	oauth: "admitted",
	role: "viewer",
	write: false,
};

/** The same, and readers of a shared link that shows this. */
export const readingShared = (share: "overview" | ShareList): Guard => ({ ...readingReports, share });
