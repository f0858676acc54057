import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { SiteDirectory } from "../../tenancy/sites/index.ts";
import type { StatsDeps } from "./deps.ts";
import type { StatsSite } from "./parse.ts";

/** Dependencies of reports over several sites. */
export interface AggregateDeps extends StatsDeps {
	readonly sites: Pick<SiteDirectory, "get">;
}

/** The sites of a request, each once, in the order given. 400 for fewer than two, 404 `account_not_found` for an unknown one. */
export function aggregateSites(
	deps: AggregateDeps,
	accountIds: readonly string[],
): readonly [StatsSite, ...StatsSite[]] {
	const [first, ...others] = [...new Set(accountIds)].map((id) => {
		const site = deps.sites.get(id);
		if (site === undefined) throw new ServiceError("account_not_found");
		return { ...site, share: null };
	});
	if (first === undefined || others.length === 0) {
		throw new ServiceError("bad_request", { message: "account_ids must name at least two different sites" });
	}
	return [first, ...others];
}
