import type { Clock } from "../../../platform/lib/clock.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { countSettingChange } from "../../../platform/metadata/setting-versions.ts";
import { type Actor, type Change, changeAudited } from "../../auditing/audit-log/index.ts";
import { ATTRIBUTION_TOPIC, type AttributionDirectory } from "./attribution-directory.ts";

export interface AttributionChangeDeps {
	readonly metadata: Metadata;
	readonly clock: Clock;
	/** Refreshed after each change. */
	readonly attribution: Pick<AttributionDirectory, "refresh">;
}

export interface AttributionChange {
	readonly siteId: string;
	readonly actor: Actor;
}

/**
 * Runs a change to one site's settings in one transaction, counts it, records it, and refreshes the directory of this process before
 * it answers. Changes to the settings of any site run one after the other, so a limit that `change` checks holds.
 * `change` must use the store that it is given.
 */
export async function changeAttributionSettings<T>(
	deps: AttributionChangeDeps,
	{ siteId, actor }: AttributionChange,
	change: Change<T>,
): Promise<T> {
	const nowMs = deps.clock.now();
	const result = await deps.metadata.transaction().execute(async (trx) => {
		await countSettingChange(trx, ATTRIBUTION_TOPIC, [siteId]);
		return changeAudited(trx, { siteId, actor, nowMs }, change);
	});
	await deps.attribution.refresh();
	return result;
}
