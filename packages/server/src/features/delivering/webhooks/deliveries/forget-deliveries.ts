import type { Metadata } from "../../../../platform/metadata/metadata.ts";
import type { Forgetting } from "../../../tenancy/data-keeping/index.ts";
import { dropDeliveriesOf } from "./deliveries-store.ts";

/** Deletes completed deliveries of a site within deleted days; pending ones continue. */
export async function forgetDeliveries(
	{ metadata }: { readonly metadata: Metadata },
	{ site, period }: Pick<Forgetting, "site" | "period">,
): Promise<true> {
	await metadata.transaction().execute((trx) => dropDeliveriesOf(trx, site.id, period));
	return true;
}
