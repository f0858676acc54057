import { useQueryClient } from "@tanstack/react-query";
import { csvOf } from "../../lib/csv.ts";
import { downloadCsv } from "../../lib/download.ts";
import { comparedQuery, useSite, useSiteSearch } from "../site/index.ts";
import { type ListAnswer, type Row, readList } from "./list-answer.ts";
import type { Column, List } from "./lists.ts";
import { listQuery } from "./use-list.ts";

/** Saves the first rows of a list, with all their figures. */
export function useSaveList(list: List, sort: Column): () => Promise<void> {
	const client = useQueryClient();
	const site = useSite();
	const search = useSiteSearch();
	return async () => {
		const choice = { sort, isRising: false, search: "", page: 1, size: list.largest ?? 1 };
		const answer = await client.fetchQuery(listQuery(list, comparedQuery(site.id, search), choice));
		saveRows(list, site.id, readList(list, answer).rows);
	};
}

/** The rows as a file whose columns have the API's names. */
function listFile(list: List, rows: ListAnswer["rows"]): string {
	const has = (name: string) => rows.some(({ figures }) => figures[name] !== undefined);
	const columns = list.columns.flatMap((column) => [column, `${column}_prev`]).filter(has);
	return csvOf([
		[list.value, ...columns],
		...rows.map((row) => [row.value, ...columns.map((name) => row.figures[name] ?? "")]),
	]);
}

/** Saves rows of a list as a file. */
export const saveRows = (list: List, site: string, rows: readonly Row[]): void =>
	downloadCsv(`${site}-${list.key}.csv`, listFile(list, rows));
