import { lazily } from "../../lib/lazily.ts";

/** What a mark stands for; it comes when somebody opens a mark. */
export const MarkEntries = lazily(async () => ({ default: (await import("./mark-entries.tsx")).MarkEntries }));

/** Where a note is written; it comes when somebody writes one. */
export const NoteDialog = lazily(async () => ({ default: (await import("./note-dialog.tsx")).NoteDialog }));
