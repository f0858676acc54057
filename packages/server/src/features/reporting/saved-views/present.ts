import { timestamp } from "../../../platform/lib/timestamp.ts";
import type { ViewRow } from "./store.ts";

/** A saved view on the wire. */
export const presentView = (row: ViewRow) => ({
	id: row.id,
	account_id: row.site_id,
	kind: row.kind,
	name: row.name,
	definition: JSON.parse(row.definition) as Record<string, unknown>,
	is_shared: row.is_shared === 1,
	created_by: row.created_by,
	created_by_name: row.maker,
	created_at: timestamp(row.created_at),
	updated_at: timestamp(row.updated_at),
});
