import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { Forgetting } from "../../tenancy/data-keeping/index.ts";
import { dropAlertsOf } from "./history-store.ts";

/** Drops what alerts found while deleted days of a site lasted; incidents that are open end with them. */
export async function forgetAlerts(
	{ metadata }: { readonly metadata: Metadata },
	{ site, period }: Pick<Forgetting, "site" | "period">,
): Promise<true> {
	await metadata.transaction().execute((trx) => dropAlertsOf(trx, site.id, period));
	return true;
}
