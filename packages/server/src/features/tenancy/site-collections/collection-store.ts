import { rowsIn } from "../../../../migrations/metadata/tables/table-of.ts";
import type { CollectionRow } from "./collection.ts";

export const recordsIn = (table: string) => rowsIn<CollectionRow>(table);
