import type { Condition } from "../../../analytics/catalog/filters.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { filterConditions } from "./filter-conditions.ts";
import { findSegment } from "./find-segment.ts";

/**
 * What a saved segment of the site chooses, by its id or name; undefined when there is none. Its own conditions stand
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
