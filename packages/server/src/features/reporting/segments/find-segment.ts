import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { ownSegment, type Segment } from "./segment.ts";
import { findOwnSegment } from "./store.ts";
import { systemSegment } from "./system-segments.ts";

// Other texts name no segment; some of them PostgreSQL would refuse to compare.
const ID_OR_NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** The segment of a site with this id or name; an id never looks like a name. */
export async function findSegment(
	{ metadata }: { readonly metadata: Metadata },
	siteId: string,
	idOrName: string,
): Promise<Segment | undefined> {
	if (!ID_OR_NAME.test(idOrName)) return undefined;
	const system = systemSegment(siteId, idOrName);
	if (system !== undefined) return system;
	const row = await findOwnSegment(metadata, siteId, idOrName);
	return row && ownSegment(row);
}

/** The same; throws `not_found`. */
export async function getSegment(
	deps: { readonly metadata: Metadata },
	siteId: string,
	idOrName: string,
): Promise<Segment> {
	const segment = await findSegment(deps, siteId, idOrName);
	if (segment === undefined) throw new ServiceError("not_found", { message: "Segment not found" });
	return segment;
}
