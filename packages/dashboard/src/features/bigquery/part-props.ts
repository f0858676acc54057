import type { Integration, useBigQuery } from "./queries.ts";

/** What the parts of the screen are about. */
export interface PartProps {
	readonly integration: Integration;
	readonly changes: ReturnType<typeof useBigQuery>;
}
