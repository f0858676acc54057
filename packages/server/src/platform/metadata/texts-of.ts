import { type RawBuilder, sql } from "kysely";
import { engineOf, type Metadata } from "./metadata.ts";

/** Texts as a sub-query behind `in`, in one bound value: for lists that must be in one statement; others are done by `inChunks`. */
export function textsOf(metadata: Metadata, texts: readonly string[]): RawBuilder<string> {
	const list = JSON.stringify(texts);
	return engineOf(metadata) === "sqlite"
		? sql<string>`(select value from json_each(${list}))`
		: sql<string>`(select json_array_elements_text(${list}::json))`;
}
