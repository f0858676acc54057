import { read } from "../../api/read.ts";

/** Saved segments of a site and those that each site has. */
export const segmentsQuery = (site: string) =>
	read("GET /segments", { query: { account_id: site, include_system: true } });
