import { ServiceError } from "../../../platform/errors/service-error.ts";
import { addedFields } from "../../auditing/audit-log/index.ts";
import { siteIsFull } from "../../tenancy/organizations/index.ts";
import {
	type AttributionChange,
	type AttributionChangeDeps,
	changeAttributionSettings,
} from "../attribution-settings/index.ts";
import { audited } from "./change-referrer.ts";
import { passthroughDomain } from "./passthrough-domain.ts";
import { insertReferrer, listReferrers, type PassthroughRow } from "./store.ts";

const MAX_REFERRERS = 200;

/** Input of a new referrer. */
type NewReferrer = Omit<PassthroughRow, "id" | "site_id" | "created_at" | "updated_at">;

/** Adds a referrer; 422 for what is not a domain, `duplicate_entry`, and `conflict` beyond the most that a site may have. */
export function addReferrer(
	deps: AttributionChangeDeps,
	by: AttributionChange,
	input: NewReferrer,
): Promise<PassthroughRow> {
	const domain = passthroughDomain(input.domain);
	return changeAttributionSettings(deps, by, async (trx, now) => {
		const row = await insertReferrer(trx, {
			...input,
			domain,
			site_id: by.siteId,
			created_at: now,
			updated_at: now,
		});
		if (row === undefined) throw new ServiceError("duplicate_entry", { message: "The site has this domain already" });
		const present = await listReferrers(trx, by.siteId);
		if (present.length > MAX_REFERRERS) throw siteIsFull(MAX_REFERRERS, "passthrough referrers");
		const details = addedFields(audited(row));
		return { answer: row, entry: { action: "passthrough.created", resourceId: row.id, details } };
	});
}
