import {
	type CompiledSiteRules,
	compileSiteRules,
	noSiteRules,
	type SiteRules,
} from "../../../analytics/attribution/site-rules.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { countSettingChange } from "../../../platform/metadata/setting-versions.ts";
import { type SettingsWatch, type WatchedSettings, watchSettings } from "../../../platform/metadata/watch-settings.ts";
import { type Change, changeAudited } from "../../auditing/audit-log/index.ts";
import type { SiteChange } from "../../tenancy/organizations/index.ts";
import { readSiteRules } from "./store.ts";

const ATTRIBUTION_TOPIC = "attribution";

const defaults = compileSiteRules(noSiteRules);

/** The rules of all sites in memory, for the path of a hit. */
export interface AttributionDirectory {
	/** The compiled rules of a site. Never waits. */
	get(siteId: string): CompiledSiteRules;
	/** The rules of a site as plain data, for another process. Never waits. */
	rules(siteId: string): SiteRules;
	/** Reads what has changed since; called after a change in this process and by a timer for changes in others. */
	refresh(): Promise<void>;
}

/** Reads the settings of all sites, and keeps them fresh. */
export async function createAttributionDirectory(
	deps: Omit<WatchedSettings, "topic" | "read">,
): Promise<AttributionDirectory & SettingsWatch> {
	const rules = new Map<string, SiteRules>();
	/** Rules are compiled when a hit first needs them, so that a start does not wait for expressions that no hit uses. */
	const compiled = new Map<string, CompiledSiteRules>();
	const rulesOf = (siteId: string): SiteRules => rules.get(siteId) ?? noSiteRules;
	const watch = await watchSettings({
		...deps,
		topic: ATTRIBUTION_TOPIC,
		read: async (siteIds) => {
			const read = await readSiteRules(deps.metadata, siteIds);
			for (const siteId of siteIds ?? [...rules.keys()]) {
				rules.delete(siteId);
				compiled.delete(siteId);
			}
			for (const [siteId, ofSite] of read) rules.set(siteId, ofSite);
		},
	});
	return {
		get: (siteId) => {
			if (!rules.has(siteId)) return defaults;
			const known = compiled.get(siteId) ?? compileSiteRules(rulesOf(siteId));
			compiled.set(siteId, known);
			return known;
		},
		rules: rulesOf,
		...watch,
	};
}

export interface AttributionChangeDeps {
	readonly metadata: Metadata;
	readonly clock: Clock;
	readonly attribution: Pick<AttributionDirectory, "refresh">;
}

/**
 * Runs a change to one site's settings in one transaction, counts it, records it, and refreshes the directory of this process before
 * it answers. Changes to the settings of any site run one after the other, so a limit that `change` checks holds.
 * `change` must use the store that it is given.
 */
export async function changeAttributionSettings<T>(
	deps: AttributionChangeDeps,
	{ site: { id: siteId }, actor }: SiteChange,
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
