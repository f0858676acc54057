import { storedLabel } from "./clean-text.ts";

/** The five campaign fields, in the order in which they are shown. */
export const campaignFields = ["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"] as const;
export type CampaignField = (typeof campaignFields)[number];

/** Values of the five campaign fields; `""` where there is none. */
export type Campaign = Readonly<Record<CampaignField, string>>;

/** A custom query parameter that fills a campaign field. */
export interface UtmMapping {
	readonly customParam: string;
	readonly mapsTo: CampaignField;
}

/** Longest campaign value that is kept, in UTF-16 units. */
const MAX_CAMPAIGN_VALUE = 255;

/** True for a query parameter of a campaign. */
export const isCampaignParameter = (name: string, mappings: readonly UtmMapping[]): boolean =>
	name.startsWith("utm_") || mappings.some(({ customParam }) => customParam === name);

/** A campaign of which only some fields are set. */
export function campaign(values: Partial<Campaign>): Campaign {
	return { utm_source: "", utm_medium: "", utm_campaign: "", utm_term: "", utm_content: "", ...values };
}

/**
 * The campaign values that an address carries. A mapping fills its target when the target is not set by its
 * own parameter; the first mapping of the list (the oldest) wins; empty values do nothing.
 * Undefined when none of the five is set.
 */
export function explicitCampaign(
	params: ReadonlyMap<string, string>,
	mappings: readonly UtmMapping[],
): Campaign | undefined {
	if (params.size === 0) return undefined;
	const values: Partial<Record<CampaignField, string>> = {};
	for (const field of campaignFields) {
		const value = params.get(field);
		if (value !== undefined) values[field] = storedLabel(value, MAX_CAMPAIGN_VALUE);
	}
	for (const { customParam, mapsTo } of mappings) {
		const value = params.get(customParam);
		if (value !== undefined) values[mapsTo] ??= storedLabel(value, MAX_CAMPAIGN_VALUE);
	}
	for (const _ in values) return campaign(values);
	return undefined;
}
