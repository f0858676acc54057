import type { ServerSecrets } from "../../../platform/lib/sealer.ts";
import type { ImportDeps } from "../imports/index.ts";

/** Dependencies of migration jobs: the fetched rows are an import. */
export interface MigrationDeps extends ServerSecrets {
	readonly imports: ImportDeps;
	/** Address of the older service; undefined = there is none. */
	readonly legacyApiUrl: string | undefined;
}
