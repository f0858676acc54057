import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { countSettingChange } from "../../../platform/metadata/setting-versions.ts";
import { ATTRIBUTION_TOPIC } from "./attribution-directory.ts";
import type { AttributionDirectory } from "./attribution-settings.ts";

/** What a change to the settings of a site needs. */
export interface AttributionChangeDeps {
	readonly metadata: Metadata;
	/** Refreshed after each change. */
	readonly attribution: Pick<AttributionDirectory, "refresh">;
}

/**
 * Runs a change to one site's settings in one transaction, counts it, and refreshes the directory of this process before
 * it answers. Changes to the settings of any site run one after the other, so a limit that `change` checks holds.
 * `change` must use the store that it is given.
 */
export async function changeAttributionSettings<T>(
	deps: AttributionChangeDeps,
	siteId: string,
	change: (metadata: Metadata) => Promise<T>,
): Promise<T> {
	const result = await deps.metadata.transaction().execute(async (metadata) => {
		await countSettingChange(metadata, ATTRIBUTION_TOPIC, [siteId]);
		return change(metadata);
	});
	await deps.attribution.refresh();
	return result;
}
