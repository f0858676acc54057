import { useQuery } from "@tanstack/react-query";
import { read } from "../../api/read.ts";

/** Whether hits of a site arrive, and when the last one did. */
export const useStatus = (id: string) =>
	useQuery({ ...read("GET /sites/{id}/pixel/status", { path: { id } }), refetchInterval: 60_000 });
