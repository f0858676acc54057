import type { ChannelRules } from "../../../analytics/attribution/channel-rules.ts";
import type { PassthroughRules } from "../../../analytics/attribution/passthrough-rules.ts";
import type { ReferrerMappings } from "../../../analytics/attribution/referrer-mappings.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";

/** What a site itself says about where visits come from, prepared for the collector. */
export interface AttributionSettings {
	/** The site's own live rules before the default ones; undefined = the default ones alone. */
	readonly channelRules: ChannelRules | undefined;
	readonly passthroughRules: PassthroughRules;
	readonly referrerMappings: ReferrerMappings;
}

/**
 * Reads one part of the settings, of the sites named or of all; sites without any are left out.
 * Each is prepared when a hit first needs it, so that a start does not wait for expressions that nobody uses.
 */
export type SettingsLoader<Part> = (
	metadata: Metadata,
	siteIds: readonly string[] | undefined,
) => Promise<ReadonlyMap<string, () => Part>>;

/** One loader for each part, from the slice that owns it; a part without one keeps its default. */
export type AttributionLoaders = {
	readonly [Part in keyof AttributionSettings]?: SettingsLoader<AttributionSettings[Part]>;
};

/** The settings of all sites in memory, for the path of a hit. */
export interface AttributionDirectory {
	/** The settings of a site. Never waits. */
	get(siteId: string): AttributionSettings;
	/** Reads what has changed since; called after a change in this process and by a timer for changes in others. */
	refresh(): Promise<void>;
}
