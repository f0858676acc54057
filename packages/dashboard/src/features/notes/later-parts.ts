import { lazily } from "../../lib/lazily.ts";

/** Entries of a mark, loaded when one is opened. */
export const MarkEntries = lazily(async () => ({ default: (await import("./mark-entries.tsx")).MarkEntries }));

/** Where a note is written; it comes when somebody writes one. */
export const NoteDialog = lazily(async () => ({ default: (await import("./note-dialog.tsx")).NoteDialog }));
