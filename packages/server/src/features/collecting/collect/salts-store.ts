import type { Row } from "../../../../migrations/metadata/tables/index.ts";
import { tableOf } from "../../../../migrations/metadata/tables/table-of.ts";

export type Salt = Row<"visitor_salts">;

export const storedSalts = tableOf("visitor_salts");
