export { ChartMarks } from "./chart-marks.tsx";
export { NoteDialog } from "./note-dialog.tsx";
