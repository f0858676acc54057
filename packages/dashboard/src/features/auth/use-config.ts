import { useQuery } from "@tanstack/react-query";
import { boot } from "../../api/boot.ts";
import { type Answer, call } from "../../api/client.ts";

/** What this installation offers: the page brought it along, or it is asked for. */
export function useConfig(): Answer<"GET /config"> | undefined {
	const { data } = useQuery({
		queryKey: ["GET /config", "boot"],
		queryFn: ({ signal }) => call("GET /config", { signal }),
		enabled: boot.config === undefined,
		staleTime: Number.POSITIVE_INFINITY,
		...(boot.config !== undefined && { initialData: boot.config }),
	});
	return data;
}
