import { type RawBuilder, SqliteAdapter, sql } from "kysely";
import type { Metadata } from "./metadata.ts";

/**
 * Texts as a sub-query to be named behind `in` or `not in`: one bound value, however many they are. For lists that must
 * stand in one statement as a whole; others are done by `inChunks`.
 */
export function textsOf(metadata: Metadata, texts: readonly string[]): RawBuilder<string> {
	const list = JSON.stringify(texts);
	return metadata.getExecutor().adapter instanceof SqliteAdapter
		? sql<string>`(select value from json_each(${list}))`
		: sql<string>`(select json_array_elements_text(${list}::json))`;
}
