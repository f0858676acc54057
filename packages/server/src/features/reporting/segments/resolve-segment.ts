import type { Condition } from "../../../analytics/catalog/filters.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { filterConditions } from "./filter-conditions.ts";
import { findSegment } from "./find-segment.ts";

/**
 * Conditions of a saved segment of the site, by its id or name; undefined if there is none. Its own conditions are
 * directly under `all`, where parameters of a request replace those on the same field.
 */
export async function resolveSegment(
	deps: { readonly metadata: Metadata },
	siteId: string,
	idOrName: string,
): Promise<Condition | undefined> {
	const segment = await findSegment(deps, siteId, idOrName);
	return segment && { all: filterConditions(segment.filters, "query.segment") };
}
