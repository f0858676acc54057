import { useQueryClient } from "@tanstack/react-query";
import { csvOfRecords } from "../../lib/csv.ts";
import { downloadCsv } from "../../lib/download.ts";
import { comparedQuery, useSite, useSiteSearch } from "../site/index.ts";
import { type Row, readList } from "./list-answer.ts";
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
		save: async () => saveRows(list, site.id, await fetchRows()),
	};
}

/** Rows of a list as records whose columns have the API's names. */
export function listRecords(list: List, rows: readonly Row[]): readonly object[] {
	const columns = list.columns.flatMap((column) => [column, `${column}_prev`]);
	return rows.map(({ value, figures }) => ({
		[list.value]: value,
		...Object.fromEntries(columns.filter((name) => figures[name] !== undefined).map((name) => [name, figures[name]])),
	}));
}

/** Saves rows of a list as a file. */
export const saveRows = (list: List, site: string, rows: readonly Row[]): void =>
	downloadCsv(`${site}-${list.key}.csv`, csvOfRecords(listRecords(list, rows)));
