/** Segments: saved choices of visits that reports can be asked about. */

export { findSegment } from "./find-segment.ts";
export { readSegmentFilters } from "./read-segment-filters.ts";
export { resolveSegment } from "./resolve-segment.ts";
export { registerSegments } from "./routes.ts";
