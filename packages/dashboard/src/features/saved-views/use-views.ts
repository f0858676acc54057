import { queryOptions, useQuery } from "@tanstack/react-query";
import { type Answer, call } from "../../api/client.ts";
import { texts } from "../../lib/language.ts";
import { useChange } from "../../ui/form/use-change.ts";
import { meQuery, useSite } from "../site/index.ts";
import type { ViewKind } from "./view-kind.ts";

/** A kept view. */
export type View = Answer<"GET /saved-views">[number];
/** Editable fields of a view. */
type Changes = Partial<Pick<View, "name" | "definition" | "is_shared">>;

const t = texts({
	en: {
		saved: (name: string) => `“${name}” saved.`,
		changed: (name: string) => `“${name}” updated.`,
		removed: (name: string) => `“${name}” deleted.`,
	},
	es: {
		saved: (name: string) => `«${name}» guardada.`,
		changed: (name: string) => `«${name}» actualizada.`,
		removed: (name: string) => `«${name}» eliminada.`,
	},
});

const stale = ["GET /saved-views"];

/** Kept views of a kind, the reader's own and those that others share. */
export const viewsQuery = (site: string, kind: ViewKind) =>
	queryOptions({
		queryKey: ["GET /saved-views", { account_id: site, kind }],
		queryFn: ({ signal }) => call("GET /saved-views", { query: { account_id: site, kind }, signal }),
	});

/** True for views of the reader. */
export function useIsOwn(): (view: View) => boolean {
	const { data } = useQuery(meQuery);
	return ({ created_by }) => created_by === data?.id;
}

/** Keeps, changes and removes views of the site. */
export function useViews() {
	const query = { account_id: useSite().id };
	const post = (body: Pick<View, "kind" | "name" | "definition" | "is_shared">) =>
		call("POST /saved-views", { query, body });
	const patch = (id: number, body: Changes) => call("PATCH /saved-views/{id}", { path: { id }, query, body });
	const remove = (id: number) => call("DELETE /saved-views/{id}", { path: { id }, query });
	return {
		save: useChange({ run: post, stale, done: ({ name }) => t.saved(name), undo: ({ id }) => remove(id) }),
		change: useChange({
			run: ({ before, changes }: { readonly before: View; readonly changes: Changes }) => patch(before.id, changes),
			stale,
			done: ({ name }) => t.changed(name),
			undo: (_, { before: { id, name, definition, is_shared } }) => patch(id, { name, definition, is_shared }),
		}),
		remove: useChange({
			run: (view: View) => remove(view.id),
			stale,
			done: (_, { name }) => t.removed(name),
			undo: (_, { kind, name, definition, is_shared }) => post({ kind, name, definition, is_shared }),
		}),
	};
}
