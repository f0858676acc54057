import { lazily } from "../../lib/lazily.ts";

export { NoteDialog } from "./later-parts.ts";
export const ChartMarks = lazily(async () => ({ default: (await import("./chart-marks.tsx")).ChartMarks }));
