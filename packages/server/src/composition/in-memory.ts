import type { AttributionDirectory } from "../features/collecting/attribution-settings/index.ts";
import type { ScriptRequests } from "../features/collecting/tracker-script/index.ts";
import type { Dashboard } from "../features/operating/dashboard/index.ts";
import type { Help } from "../features/operating/help/index.ts";
import type { ServiceMetrics } from "../features/operating/metrics/index.ts";
import type { IpAllowlists } from "../features/tenancy/ip-allowlist/index.ts";
import type { SiteDirectory } from "../features/tenancy/sites/index.ts";
import type { Certificates } from "../platform/tls/certificates.ts";
import type { Collecting } from "./collector.ts";

/** State of this process in memory, and its collector. */
export interface InMemory {
	readonly sites: SiteDirectory;
	readonly attribution: AttributionDirectory;
	readonly ipAllowlists: IpAllowlists;
	/** Sites that requested the tracker script. */
	readonly scriptRequests: ScriptRequests;
	/** Figures of `/metrics`. */
	readonly metrics: ServiceMetrics;
	/** Those of its TLS server; undefined where TLS belongs to a proxy. */
	readonly certificates: Certificates | undefined;
	/** Undefined when it was not built. */
	readonly dashboard: Dashboard | undefined;
	/** Undefined when it was not built. */
	readonly help: Help | undefined;
	/** Undefined when this process does not collect. */
	readonly collecting: Collecting | undefined;
}
