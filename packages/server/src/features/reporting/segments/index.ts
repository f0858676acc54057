/** Segments: saved choices of visits that reports can be asked about. */

export { readSegmentFilters } from "./filter-conditions.ts";
export { registerSegments } from "./routes.ts";
export { findSegment, resolveSegment } from "./segments.ts";
