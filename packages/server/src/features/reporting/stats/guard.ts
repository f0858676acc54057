import type { Guard, ShareList } from "../../../access/index.ts";
import { ErrorRef } from "../../../platform/http/schemas.ts";

/** Reports of one site: any role, a key with `stats:read`, or an app. */
export const readingReports: Extract<Guard, { kind: "site" }> = {
	kind: "site",
	siteFrom: "query",
	keyScope: "stats:read",
	oauth: "admitted",
	role: "viewer",
	write: false,
};

/** A range of dates that no report covers. */
export const BadDates = { description: "`bad_request`", ...ErrorRef };

/** Parts that the routes of all reports of one site share. */
export const reportRoute = { tags: ["Stats"], guard: readingReports, errors: { 400: BadDates } };

/** The same, for readers of a shared link that shows this too. */
export const sharedRoute = (share: "overview" | ShareList) => ({
	...reportRoute,
	guard: { ...readingReports, share } satisfies Guard,
});
