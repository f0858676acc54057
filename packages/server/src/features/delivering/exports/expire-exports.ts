import { DAY_MS } from "../../../platform/lib/durations.ts";
import type { ExportDeps } from "./deps.ts";
import { removeFileLater } from "./remove-file.ts";
import { expireExports, forgetExports } from "./store.ts";

const KEPT_MS = 30 * DAY_MS;

/** Ends the links that have run out, of a site or of all; their files go too. */
export async function expireDueExports(
	deps: Pick<ExportDeps, "metadata" | "clock" | "jobs">,
	siteId?: string,
): Promise<void> {
	await deps.metadata.transaction().execute(async (trx) => {
		for (const row of await expireExports(trx, deps.clock.now(), siteId)) {
			if (row.file_name !== null) await removeFileLater(deps, trx, row.file_name);
		}
	});
}

/** The same, and forgets exports without a file after 30 days. */
export async function cleanUpExports(deps: Pick<ExportDeps, "metadata" | "clock" | "jobs">): Promise<void> {
	await expireDueExports(deps);
	await forgetExports(deps.metadata, deps.clock.now() - KEPT_MS);
}
