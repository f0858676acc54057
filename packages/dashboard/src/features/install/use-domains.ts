import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "../../api/client.ts";
import { sitesQuery } from "../site/index.ts";

/** Changes of the domains whose hits count for a site. */
export function useDomains(id: string) {
	const queries = useQueryClient();
	const onSuccess = () => queries.invalidateQueries({ queryKey: sitesQuery.queryKey });
	const add = useMutation({
		mutationFn: (domain: string) => call("POST /sites/{id}/domains", { path: { id }, body: { domain } }),
		onSuccess,
	});
	const remove = useMutation({
		mutationFn: (domain: string) => call("DELETE /sites/{id}/domains", { path: { id }, query: { domain } }),
		onSuccess,
	});
	return { add, remove };
}
