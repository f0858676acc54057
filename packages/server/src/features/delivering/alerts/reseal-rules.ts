import type { ServerSecrets } from "../../../platform/lib/sealer.ts";
import type { AlertDeps } from "./deps.ts";
import { resealed } from "./sealed-addresses.ts";
import { listRulesWithAddresses, replaceSealed } from "./store.ts";

/**
 * Seals the addresses of rules with the server's present secret, so that the one before it can be forgotten. Answers how
 * many rules hold an address that cannot be opened with either.
 */
export async function resealRules(deps: ServerSecrets & Pick<AlertDeps, "metadata">): Promise<number> {
	let lost = 0;
	for (const row of await listRulesWithAddresses(deps.metadata)) {
		const columns = resealed(deps, row);
		if (columns === undefined) lost++;
		else if (columns !== null) await replaceSealed(deps.metadata, row, columns);
	}
	return lost;
}
