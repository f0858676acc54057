import type { Row } from "../../../../migrations/metadata/tables/index.ts";
import { tableOf } from "../../../../migrations/metadata/tables/table-of.ts";

export type SegmentRow = Row<"segments">;

export const segments = tableOf("segments");
