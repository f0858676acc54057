import type { Metadata } from "../../../../platform/metadata/metadata.ts";
import type { Forgetting } from "../../../tenancy/data-keeping/index.ts";
import { dropDeliveriesOf } from "./deliveries-store.ts";

/** Drops what was delivered of a site while deleted days lasted; what still waits to be delivered goes on. */
export async function forgetDeliveries(
	{ metadata }: { readonly metadata: Metadata },
	{ site, period }: Pick<Forgetting, "site" | "period">,
): Promise<true> {
	await metadata.transaction().execute((trx) => dropDeliveriesOf(trx, site.id, period));
	return true;
}
