import { createAttributionDirectory } from "../features/collecting/attribution-settings/index.ts";
import { openIpAllowlists } from "../features/tenancy/ip-allowlist/index.ts";
import { createSiteDirectory } from "../features/tenancy/sites/index.ts";
import { describeCause } from "../platform/log/describe-cause.ts";
import type { AppDeps, InMemory } from "./app-deps.ts";

type DirectoryDeps = Pick<AppDeps, "metadata" | "clock" | "log">;

/** Reads what a process keeps in memory of the metadata store and looks for changes of it; `opened` ends that. */
export async function openDirectories(
	{ metadata, clock, log }: DirectoryDeps,
	opened: AsyncDisposableStack,
): Promise<Pick<InMemory, "sites" | "attribution" | "ipAllowlists">> {
	const warning = (message: string) => (error: unknown) => log.warn({ cause: describeCause(error) }, message);
	const sites = await createSiteDirectory({ metadata, clock, onError: warning("The sites could not be read again") });
	opened.defer(sites.stop);
	const ipAllowlists = await openIpAllowlists({
		metadata,
		clock,
		onError: warning("The IP allowlists could not be read or recorded"),
	});
	opened.defer(ipAllowlists.stop);
	const attribution = await createAttributionDirectory({
		metadata,
		clock,
		onError: warning("The attribution settings could not be read again"),
	});
	opened.defer(attribution.stop);
	return { sites, ipAllowlists, attribution };
}
