import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { type ImportRow, keptImports } from "./store.ts";

/**
 * Each month of an import is a partition of the event store, which all sites share: with too many of them it takes no rows any more.
 * Twelve imports of four years, or one of fifty; and some hundred of such sites.
 */
const limits = { imports: 50, partitions: 600, everywhere: 20_000 };

const exceeded = (message: string) =>
	new ServiceError("quota_exceeded", `${message}: undo imports that you no longer need`);

/** Throws `quota_exceeded` when a site has as many imports as it may. */
export async function refuseImports(trx: Metadata, of: Pick<ImportRow, "site_id" | "import_id">): Promise<void> {
	const { count } = await keptImports(trx, of.import_id, of.site_id);
	if (count >= limits.imports) throw exceeded(`The site has ${count} imports, the most that it may have`);
}

/** Throws `quota_exceeded` when the months of an import, with those of the others, are more than there may be. */
export async function refusePartitions(
	trx: Metadata,
	{ site_id, import_id }: Pick<ImportRow, "site_id" | "import_id">,
	months: number,
): Promise<void> {
	const ofSite = await keptImports(trx, import_id, site_id);
	if (ofSite.partitions + months > limits.partitions) {
		throw exceeded(`The months of all imports of a site are at most ${limits.partitions}, and these are more`);
	}
	const all = await keptImports(trx, import_id);
	if (all.partitions + months > limits.everywhere)
		throw exceeded("All sites together have as many months of imports as there may be");
}
