import { listReports } from "./reports.ts";
import { topReports } from "./top-reports.ts";

/**
 * Patterns of the GET routes that give a report of one site, relative to the API. Neither raw rows nor reports over several
 * sites are among them.
 */
export const siteReports: ReadonlySet<string> = new Set([
	"/stats/overview",
	...[...listReports, ...topReports].map(({ url }) => url),
	"/stats/exit-pages",
	"/stats/devices",
	"/stats/microconversions/:type",
	"/stats/microconversions-types",
	"/stats/funnel",
	"/stats/live",
	"/stats/properties/keys",
	"/stats/properties/values",
	"/stats/properties/breakdown",
]);
