import { queryOptions } from "@tanstack/react-query";
import { call } from "../../api/client.ts";

/** Saved segments of a site and those that each site has. */
export const segmentsQuery = (site: string) =>
	queryOptions({
		queryKey: ["GET /segments", site],
		queryFn: ({ signal }) => call("GET /segments", { query: { account_id: site, include_system: true }, signal }),
	});
