import { useQuery } from "@tanstack/react-query";
import { type Answer, call } from "../../api/client.ts";
import { read } from "../../api/read.ts";
import { texts } from "../../lib/language.ts";
import { useRecords } from "../../ui/form/use-records.ts";
import { changed, meQuery, readSearch, type SiteSearch, useSite } from "../site/index.ts";
import type { ViewKind } from "./view-kind.ts";

/** Transient parts of the address: the open panel and the position in it. */
const passing = { panel: undefined, q: undefined, page: undefined };

/** The part of an address that a view stores. */
export const definitionOf = (search: SiteSearch): Record<string, string | readonly string[]> =>
	changed(search, passing);

/** The address of a saved view, own or shared. */
export const addressOf = (definition: Readonly<Record<string, unknown>>) => changed(readSearch(definition), passing);

/** True when both say the same, whatever their order. */
export const isSame = (one: Readonly<Record<string, unknown>>, other: Readonly<Record<string, unknown>>): boolean =>
	JSON.stringify(Object.entries(one).toSorted()) === JSON.stringify(Object.entries(other).toSorted());

/** A kept view. */
export type View = Answer<"GET /saved-views">[number];
type Fields = Pick<View, "kind" | "name" | "definition" | "is_shared">;

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

/** Kept views of a kind, the reader's own and those that others share. */
export const viewsQuery = (site: string, kind: ViewKind) =>
	read("GET /saved-views", { query: { account_id: site, kind } });

/** True for views of the reader. */
export function useIsOwn(): (view: View) => boolean {
	const { data } = useQuery(meQuery);
	return ({ created_by }) => created_by === data?.id;
}

/** Keeps, changes and removes views of the site. */
export function useViews() {
	const query = { account_id: useSite().id };
	return useRecords<View, Fields>({
		stale: ["GET /saved-views"],
		create: (body) => call("POST /saved-views", { query, body }),
		write: ({ id }, { kind: _, ...body }) => call("PATCH /saved-views/{id}", { path: { id }, query, body }),
		drop: ({ id }) => call("DELETE /saved-views/{id}", { path: { id }, query }),
		fieldsOf: ({ kind, name, definition, is_shared }) => ({ kind, name, definition, is_shared }),
		added: ({ name }) => t.saved(name),
		changed: ({ name }) => t.changed(name),
		removed: ({ name }) => t.removed(name),
	});
}
