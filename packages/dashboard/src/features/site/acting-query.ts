import { queryOptions } from "@tanstack/react-query";
import { call } from "../../api/client.ts";

/** Whether the reader acts as somebody else. */
export const actingQuery = queryOptions({
	queryKey: ["GET /auth/impersonation-status"],
	queryFn: ({ signal }) => call("GET /auth/impersonation-status", { signal }),
	staleTime: 60_000,
});
