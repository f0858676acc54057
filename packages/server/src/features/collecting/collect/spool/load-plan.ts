import type { Segment } from "./segment.ts";

/** The segment whose rows are loaded next; undefined when the event store has all that can be loaded. */
export const nextToLoad = (segments: readonly Segment[]): Segment | undefined =>
	segments.find(({ done, sealed }) => done < sealed);

/** Names a step in the event store, which drops what comes twice. It is made of what stands in the segment alone. */
export const stepToken = (segment: Segment, step: number, table: string): string =>
	`${segment.id}-${step}-${table === "events" ? "e" : "b"}`;
