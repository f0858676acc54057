import { queryOptions } from "@tanstack/react-query";
import { type Answer, call } from "../../api/client.ts";

/** How the service fares. */
export type System = Answer<"GET /admin/system">;

/** It changes by itself, so it is asked again while it is looked at. */
export const systemQuery = queryOptions({
	queryKey: ["GET /admin/system"],
	queryFn: ({ signal }) => call("GET /admin/system", { signal }),
	refetchInterval: 10_000,
});
