import { tableOf } from "../../../../migrations/metadata/tables/table-of.ts";

export const collectorProgress = tableOf("collector_progress");
