import { changed, readSearch, type SiteSearch } from "../site/index.ts";

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
