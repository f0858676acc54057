import { tableOf } from "../../../../migrations/metadata/tables/table-of.ts";
import { activeRules } from "../attribution-settings/index.ts";

/** Reads the active rules of the sites named, or of all, for the collector. */
export const loadPassthroughRules = activeRules(tableOf("passthrough_referrers"), (row) => row);
