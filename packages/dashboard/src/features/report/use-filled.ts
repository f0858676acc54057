import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { ask, type ReportInput } from "../../api/batch.ts";
import { reportQuery, useSite, useSiteSearch } from "../site/index.ts";
import { readList } from "./list-answer.ts";
import { type List, type ListKey, lists } from "./lists.ts";

/** Values change seldom between having rows and having none. */
const staleMs = 600_000;

/** Those of some lists that have rows in these days, whatever the filters: tabs do not come and go with a click. */
export function useFilled(keys: readonly ListKey[], enabled: boolean): readonly ListKey[] {
	const site = useSite();
	const { segment: _, ...search } = useSiteSearch();
	const asked = reportQuery(site.id, { ...search, f: [] });
	const { data } = useQuery({
		queryKey: ["has rows", keys, asked],
		queryFn: async ({ signal }) => {
			const answers = await Promise.all(keys.map((key) => hasRows(lists[key], asked, signal)));
			return keys.filter((_, at) => answers[at]);
		},
		staleTime: staleMs,
		placeholderData: keepPreviousData,
		enabled: enabled && keys.length > 0,
	});
	return data ?? [];
}

/** The row without a value is none; it is the largest one, so that two rows tell. */
async function hasRows(list: List, asked: object, signal: AbortSignal): Promise<boolean> {
	const input = { ...asked, page_size: 2 } as ReportInput<typeof list.route>;
	return readList(list, await ask(list.route, input, signal)).rows.some(({ value }) => value !== "");
}
