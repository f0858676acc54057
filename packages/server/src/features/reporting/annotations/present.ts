import { timestamp } from "../../../platform/lib/timestamp.ts";
import type { AnnotationRow } from "./store.ts";

/** An annotation on the wire. */
export const presentAnnotation = (row: AnnotationRow) => ({
	id: row.id,
	account_id: row.site_id,
	date: row.date,
	hour: row.hour,
	text: row.text,
	kind: row.kind,
	created_by: row.created_by,
	created_by_name: row.author,
	created_at: timestamp(row.created_at),
});
