import { queryOptions } from "@tanstack/react-query";
import { call } from "../../api/client.ts";

/** The rules of a site, of which some are goals. */
export const rulesQuery = (site: string) =>
	queryOptions({
		queryKey: ["GET /alerts/rules", { account_id: site }],
		queryFn: ({ signal }) => call("GET /alerts/rules", { query: { account_id: site }, signal }),
	});
