import type { CompiledSiteRules, SiteRules } from "../../../analytics/attribution/site-rules.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";

/** Reads one list of rules, of the sites named or of all; sites without any are left out. */
export type SettingsLoader<Part extends keyof SiteRules> = (
	metadata: Metadata,
	siteIds: readonly string[] | undefined,
) => Promise<ReadonlyMap<string, SiteRules[Part]>>;

/** One loader for each list, from the slice that owns it; without one the list is empty. */
export type AttributionLoaders = { readonly [Part in keyof SiteRules]?: SettingsLoader<Part> };

/** The rules of all sites in memory, for the path of a hit. */
export interface AttributionDirectory {
	/** The compiled rules of a site. Never waits. */
	get(siteId: string): CompiledSiteRules;
	/** The rules of a site as plain data, for another process. Never waits. */
	rules(siteId: string): SiteRules;
	/** Reads what has changed since; called after a change in this process and by a timer for changes in others. */
	refresh(): Promise<void>;
}
