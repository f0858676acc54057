import { ApiError } from "../../../platform/http/api-error.ts";
import { changeAttributionSettings } from "../attribution-settings/index.ts";
import type { PassthroughDeps } from "./deps.ts";
import { passthroughDomain } from "./passthrough-domain.ts";
import { deleteReferrer, listReferrers, type PassthroughRow, updateReferrer } from "./store.ts";

/** Fields to change; absent ones stay. */
type ReferrerChanges = Partial<Omit<PassthroughRow, "id" | "site_id" | "created_at" | "updated_at">>;

/** The answer to an id that the site does not have. */
export const referrerNotFound = () => new ApiError("not_found", { message: "Passthrough referrer not found" });

/** Changes a referrer; throws `not_found`, 422 for what is not a domain, and `duplicate_entry`. */
export async function changeReferrer(
	deps: PassthroughDeps,
	siteId: string,
	id: number,
	changes: ReferrerChanges,
): Promise<PassthroughRow> {
	const domain = changes.domain === undefined ? undefined : passthroughDomain(changes.domain);
	const columns = { ...changes, ...(domain !== undefined && { domain }), updated_at: deps.clock.now() };
	return changeAttributionSettings(deps, siteId, async (metadata) => {
		const others = (await listReferrers(metadata, siteId)).filter((row) => row.id !== id);
		if (others.some((row) => row.domain === domain)) {
			throw new ApiError("duplicate_entry", { message: "The site has this domain already" });
		}
		const row = await updateReferrer(metadata, siteId, id, columns);
		if (row === undefined) throw referrerNotFound();
		return row;
	});
}

/** Removes a referrer; throws `not_found`. */
export async function removeReferrer(deps: PassthroughDeps, siteId: string, id: number): Promise<void> {
	await changeAttributionSettings(deps, siteId, async (metadata) => {
		if (!(await deleteReferrer(metadata, siteId, id))) throw referrerNotFound();
	});
}
