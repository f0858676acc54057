import { ServiceError } from "../../../platform/errors/service-error.ts";
import { type Actor, addedFields, recordAudit } from "../../auditing/audit-log/index.ts";
import { changeAttributionSettings } from "../attribution-settings/index.ts";
import { audited } from "./change-referrer.ts";
import type { PassthroughDeps } from "./deps.ts";
import { passthroughDomain } from "./passthrough-domain.ts";
import { insertReferrer, listReferrers, type PassthroughRow } from "./store.ts";

const MAX_REFERRERS = 200;

/** What a caller says of a new referrer. */
type NewReferrer = Omit<PassthroughRow, "id" | "site_id" | "created_at" | "updated_at">;

/** Adds a referrer; 422 for what is not a domain, `duplicate_entry`, and `conflict` beyond the most that a site may have. */
export async function addReferrer(
	deps: PassthroughDeps,
	{ siteId, actor }: { readonly siteId: string; readonly actor: Actor },
	input: NewReferrer,
): Promise<PassthroughRow> {
	const domain = passthroughDomain(input.domain);
	const now = deps.clock.now();
	return changeAttributionSettings(deps, siteId, async (metadata) => {
		const row = await insertReferrer(metadata, {
			...input,
			domain,
			site_id: siteId,
			created_at: now,
			updated_at: now,
		});
		if (row === undefined) throw new ServiceError("duplicate_entry", { message: "The site has this domain already" });
		if ((await listReferrers(metadata, siteId)).length > MAX_REFERRERS) {
			throw new ServiceError("conflict", { message: `A site has at most ${MAX_REFERRERS} passthrough referrers` });
		}
		const entry = { resourceId: row.id, siteId, details: addedFields(audited(row)) };
		await recordAudit(metadata, actor, { action: "passthrough.created", ...entry }, now);
		return row;
	});
}
