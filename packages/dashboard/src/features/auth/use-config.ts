import { useQuery } from "@tanstack/react-query";
import { boot } from "../../api/boot.ts";
import { type Answer, call } from "../../api/client.ts";

/** Configuration of the installation, from the page itself or by request. */
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
