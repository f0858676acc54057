export { SaveSegment } from "./save-segment.tsx";
export { SegmentPicker } from "./segment-picker.tsx";
export { nameOf as segmentName } from "./segment-words.ts";
export { segmentsQuery } from "./segments-query.ts";
