export { SaveSegment } from "./save-segment.tsx";
export { SegmentPicker } from "./segment-picker.tsx";
