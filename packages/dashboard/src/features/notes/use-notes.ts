import { call } from "../../api/client.ts";
import { texts } from "../../lib/language.ts";
import { useRecords } from "../../ui/form/use-records.ts";
import { useSite } from "../site/index.ts";
import type { Note } from "./note-words.ts";

/** Editable fields of an annotation. */
export type NoteContent = Pick<Note, "date" | "hour" | "text" | "kind">;

const t = texts({
	en: { added: "Annotation added.", changed: "Annotation updated.", removed: "Annotation deleted." },
	es: { added: "Anotación añadida.", changed: "Anotación actualizada.", removed: "Anotación eliminada." },
});

/** Adds, changes and removes notes of the site. */
export function useNotes() {
	const query = { account_id: useSite().id };
	return useRecords<Note, NoteContent>({
		stale: ["GET /annotations"],
		create: (body) => call("POST /annotations", { query, body }),
		write: ({ id }, body) => call("PATCH /annotations/{id}", { path: { id }, query, body }),
		drop: ({ id }) => call("DELETE /annotations/{id}", { path: { id }, query }),
		fieldsOf: ({ date, hour, text, kind }) => ({ date, hour, text, kind }),
		added: () => t.added,
		changed: () => t.changed,
		removed: () => t.removed,
	});
}
