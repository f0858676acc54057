import type { Integration, useBigQuery } from "./queries.ts";

/** Props shared by the parts of the screen. */
export interface PartProps {
	readonly integration: Integration;
	readonly changes: ReturnType<typeof useBigQuery>;
}
