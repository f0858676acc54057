import { useQueries } from "@tanstack/react-query";
import { useRested } from "../../lib/use-rested.ts";
import { type List, type ListKey, listQuery, lists, readList, shownValue } from "../report/index.ts";
import { reportQuery, useSiteSearch } from "../site/index.ts";
import type { Candidate } from "./wishes.ts";

/** Lists of few values: they are asked once, whatever is typed. */
const short: readonly ListKey[] = ["devices", "countries", "channels", "mediums", "browsers", "systems"];
/** Lists of many: the service searches them. */
const long: readonly ListKey[] = ["sources", "campaigns", "referrers", "pages"];
/** How many values of a long list one word may find. */
const most = 5;
/** How long typing rests before it is asked for. */
const restMs = 120;
const shortest = 2;

const read = (list: List, answer: unknown): readonly Candidate[] =>
	readList(list, answer).rows.flatMap(({ value, figures }) =>
		list.field === undefined || value === ""
			? []
			: [{ field: list.field, value, shown: shownValue(list, value), weight: figures[list.sorts[0]] ?? 0 }],
	);

/** Values of the site that may be what the words say. Requests without a waiting caller are aborted. */
export function useValues(site: string | undefined, typed: readonly string[]) {
	const { segment: _, ...search } = useSiteSearch();
	const words = useRested(typed.join(" "), restMs)
		.split(" ")
		.filter((word) => word.length >= shortest);
	const asked = reportQuery(site ?? "", { ...search, f: [] });
	// The short ones are on their way with the first letter.
	const isWanted = site !== undefined && typed.length > 0;
	const question = (key: ListKey, choice: { readonly search: string; readonly size: number }) => {
		const list = lists[key];
		const { placeholderData: __, ...query } = listQuery(list, asked, {
			sort: list.sorts[0],
			isRising: false,
			page: 1,
			...choice,
		});
		return { ...query, enabled: isWanted, staleTime: 300_000, select: (answer: unknown) => read(list, answer) };
	};
	return useQueries({
		queries: [
			...short.map((key) => question(key, { search: "", size: 100 })),
			...words.flatMap((word) => long.map((key) => question(key, { search: word, size: most }))),
		],
		combine: (answers) => ({
			candidates: answers.flatMap(({ data }) => data ?? []),
			isAsking: isWanted && answers.some(({ isFetching }) => isFetching),
		}),
	});
}
