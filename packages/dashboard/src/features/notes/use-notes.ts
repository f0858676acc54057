import { call } from "../../api/client.ts";
import { texts } from "../../lib/language.ts";
import { useChange } from "../../ui/form/use-change.ts";
import { useSite } from "../site/index.ts";
import type { Note } from "./note-words.ts";

/** Editable fields of an annotation. */
export type NoteContent = Pick<Note, "date" | "hour" | "text" | "kind">;

const t = texts({
	en: { added: "Annotation added.", changed: "Annotation updated.", removed: "Annotation deleted." },
	es: { added: "Anotación añadida.", changed: "Anotación actualizada.", removed: "Anotación eliminada." },
});

const stale = ["GET /annotations"];
const contentOf = ({ date, hour, text, kind }: NoteContent): NoteContent => ({ date, hour, text, kind });

/** Adds, changes and removes notes of the site. */
export function useNotes() {
	const query = { account_id: useSite().id };
	const post = (content: NoteContent) => call("POST /annotations", { query, body: contentOf(content) });
	const patch = (id: number, body: NoteContent) => call("PATCH /annotations/{id}", { path: { id }, query, body });
	const remove = (id: number) => call("DELETE /annotations/{id}", { path: { id }, query });
	return {
		add: useChange({ run: post, stale, done: () => t.added, undo: ({ id }) => remove(id) }),
		change: useChange({
			run: ({ before, content }: { readonly before: Note; readonly content: NoteContent }) => patch(before.id, content),
			stale,
			done: () => t.changed,
			undo: (_, { before }) => patch(before.id, contentOf(before)),
		}),
		remove: useChange({
			run: (note: Note) => remove(note.id),
			stale,
			done: () => t.removed,
			undo: (_, note) => post(note),
		}),
	};
}
