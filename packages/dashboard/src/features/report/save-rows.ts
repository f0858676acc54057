import { csvOfRecords } from "../../lib/csv.ts";
import { downloadCsv } from "../../lib/download.ts";
import type { Row } from "./list-answer.ts";
import { listRecords } from "./list-records.ts";
import type { List } from "./lists.ts";

/** Saves rows of a list as a file. */
export const saveRows = (list: List, site: string, rows: readonly Row[]): void =>
	downloadCsv(`${site}-${list.key}.csv`, csvOfRecords(listRecords(list, rows)));
