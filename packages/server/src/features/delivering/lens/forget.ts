import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { Forgetting } from "../../tenancy/data-keeping/index.ts";
import { dropInsightsOf } from "./insights/insights-store.ts";
import { dropReportsOf } from "./reports/reports-store.ts";

/** Drops the insights and reports that rest on deleted days of a site. */
export async function forgetInsights(
	{ metadata }: { readonly metadata: Metadata },
	{ site, days }: Pick<Forgetting, "site" | "days">,
): Promise<true> {
	await metadata.transaction().execute(async (trx) => {
		await dropInsightsOf(trx, site.id, days);
		await dropReportsOf(trx, site.id, days);
	});
	return true;
}
