import { useQuery } from "@tanstack/react-query";
import { call } from "../../api/client.ts";

/** Whether hits of a site arrive, and when the last one did. */
export const useStatus = (id: string) =>
	useQuery({
		queryKey: ["GET /sites/{id}/pixel/status", id],
		queryFn: ({ signal }) => call("GET /sites/{id}/pixel/status", { path: { id }, signal }),
		refetchInterval: 60_000,
	});
