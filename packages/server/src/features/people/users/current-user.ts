import { type Caller, reachableSitesOf } from "../../../access/index.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { presentUser } from "./present.ts";
import { findUser } from "./store.ts";

/** The record of the calling user; with a key, of its owner. Its sites are those that the caller opens and `isSiteOpen` leaves in. */
export async function currentUser(
	deps: { metadata: Metadata },
	caller: Caller,
	isSiteOpen: (siteId: string) => boolean,
) {
	const user = await findUser(deps.metadata, caller.userId);
	if (user === undefined) throw new ServiceError("user_not_found");
	const sites = await reachableSitesOf(deps.metadata, caller);
	return presentUser(user, sites.map((site) => site.id).filter(isSiteOpen));
}
