import type { ByteQuery } from "../../../platform/event-store/event-store.ts";
import { rowSettings } from "../../catalog/projections.ts";
import type { EventKind } from "../../model/event-columns.ts";
import {
	compileReport,
	compileTop,
	type EventScope,
	eventsWhere,
	orderBy,
	type Params,
	type Statement,
} from "../engine/compile.ts";
import { nested, type Select, select } from "../engine/select.ts";
import type { Order, ReportQuery } from "../question/report-query.ts";
import { type FileColumn, type FileFormat, selectFile } from "./file-columns.ts";

/** Content of a file of events: ordered groups, or single events in order of arrival. */
export type FileQuestion =
	| {
			readonly of: "groups";
			readonly query: ReportQuery;
			readonly order: readonly Order[];
			/** Over the dimensions and metrics of the query. */
			readonly columns: readonly FileColumn[];
			/** A row for each day, the query's only dimension. */
			readonly everyDay?: true;
			readonly params?: Params;
	  }
	| {
			readonly of: "events";
			readonly scope: EventScope;
			/** All when absent. */
			readonly kind?: EventKind;
			/** Leaves out the sums of imports, which stand for many events in one row. */
			readonly isSingle?: true;
			/** Over the columns of `events`. */
			readonly columns: readonly FileColumn[];
	  };

/** A reader on a slow line holds the query open, and a large file takes its time. */
const MAX_SECONDS = 3600;

const settings = {
	max_execution_time: MAX_SECONDS,
	output_format_json_escape_forward_slashes: 0,
	// Groups of rows are held in memory until they are full.
	output_format_parquet_row_group_size: 100_000,
} as const;

/** A column of the file may bear the name of another one of `events`, which the conditions mean. */
const ownColumns = { prefer_column_name_to_alias: 1 } as const;

const engineFormats = { csv: "TSVRaw", json: "TSVRaw", parquet: "Parquet" } as const satisfies Record<
	FileFormat,
	ByteQuery["format"]
>;

const eachDay = "WITH FILL FROM toDate({start:Date}) TO toDate({end:Date}) + 1";

function fileEvents(question: Extract<FileQuestion, { of: "events" }>, params: Params): Pick<Select, "from" | "where"> {
	const where = eventsWhere(question.scope, params);
	if (question.kind !== undefined) {
		params.kind = question.kind;
		where.push("kind = {kind:String}");
	}
	if (question.isSingle) where.push("session != 0");
	return { from: "events", where };
}

/** SQL for the content of a file, values bound: `csv` and `json` as one text a row, without head or brackets. */
export function compileFile(question: FileQuestion, format: FileFormat): ByteQuery {
	const selected = selectFile(question.columns, format);
	if (question.of === "events") {
		const params: Params = {};
		// The order of the table, so that nothing has to be sorted; the session tells apart what came in the same millisecond.
		const sql = select({
			...selected,
			...fileEvents(question, params),
			orderBy: ["date", "hour", "ts", "session"],
		});
		return {
			sql,
			params,
			settings: { ...rowSettings, ...settings, ...ownColumns },
			format: engineFormats[format],
		};
	}
	const groups = compileTop(question.query, { order: question.order });
	const inner = question.everyDay ? `${groups.sql} ${eachDay}` : groups.sql;
	return {
		// The order of a statement within another one is not promised to last.
		sql: select({ ...selected, from: nested(inner), orderBy: orderBy(question.query, question.order) }),
		params: { ...groups.params, ...question.params },
		settings: { ...groups.settings, ...settings },
		format: engineFormats[format],
	};
}

/** SQL for the number of rows of a file, as `total`. */
export function compileFileCount(question: FileQuestion): Statement {
	const columns = ["count() AS total"];
	if (question.of === "events") {
		const params: Params = {};
		return { sql: select({ columns, ...fileEvents(question, params) }), params, settings: rowSettings };
	}
	const groups = compileReport(question.query);
	return { ...groups, sql: select({ columns, from: nested(groups.sql) }) };
}
