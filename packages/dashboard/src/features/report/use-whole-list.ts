import { useQueryClient } from "@tanstack/react-query";
import { comparedQuery, useSite, useSiteSearch } from "../site/index.ts";
import { readList } from "./list-answer.ts";
import { listRecords } from "./list-records.ts";
import type { Column, List } from "./lists.ts";
import { listInput, listQuery } from "./use-list.ts";

/** The first rows of a list with all their figures: how they are asked for, and they themselves. */
export function useWholeList(list: List, sort: Column) {
	const client = useQueryClient();
	const site = useSite();
	const search = useSiteSearch();
	const asked = comparedQuery(site.id, search);
	const choice = { sort, isRising: false, search: "", page: 1, size: list.largest ?? 1 };
	const fetchRows = async () => readList(list, await client.fetchQuery(listQuery(list, asked, choice))).rows;
	return {
		params: listInput(list, asked, choice),
		rows: async () => listRecords(list, await fetchRows()),
		save: async () => {
			const [{ saveRows }, found] = await Promise.all([import("./save-rows.ts"), fetchRows()]);
			saveRows(list, site.id, found);
		},
	};
}
