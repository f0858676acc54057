import { type ChannelRules, compileChannelRules } from "./channel-rules.ts";
import type { ChannelRule } from "./default-channel-rules.ts";
import { compilePassthroughRules, type PassthroughRule, type PassthroughRules } from "./passthrough-rules.ts";
import { compileReferrerMappings, type ReferrerMapping, type ReferrerMappings } from "./referrer-mappings.ts";

/** The rules of a site about where visits come from, as plain data, each list oldest first. */
export interface SiteRules {
	readonly channelRules: readonly ChannelRule[];
	readonly passthroughRules: readonly PassthroughRule[];
	readonly referrerMappings: readonly ReferrerMapping[];
}

/** The same, ready for look-up. */
export interface CompiledSiteRules {
	/** The site's own live rules before the default ones; undefined = the default ones alone. */
	readonly channelRules: ChannelRules | undefined;
	readonly passthroughRules: PassthroughRules;
	readonly referrerMappings: ReferrerMappings;
}

/** A site without rules of its own. */
export const noSiteRules: SiteRules = { channelRules: [], passthroughRules: [], referrerMappings: [] };

/** Prepares the rules of a site. */
export const compileSiteRules = (rules: SiteRules): CompiledSiteRules => ({
	channelRules: rules.channelRules.length === 0 ? undefined : compileChannelRules(rules.channelRules),
	passthroughRules: compilePassthroughRules(rules.passthroughRules),
	referrerMappings: compileReferrerMappings(rules.referrerMappings),
});
