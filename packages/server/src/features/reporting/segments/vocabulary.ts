import type { Dimension } from "../../../analytics/catalog/dimensions.ts";
import type { Operator } from "../../../analytics/catalog/filters.ts";

/**
 * Fields that a segment compares, and what they mean in the catalog. Reports that are not about pages read `path` and
 * `content_grouping` as those of the landing page.
 */
export const fieldDimensions = {
	utm_source: "utm_source",
	utm_medium: "utm_medium",
	utm_campaign: "utm_campaign",
	utm_term: "utm_term",
	utm_content: "utm_content",
	country: "country",
	device_type: "device_type",
	browser: "browser",
	os: "os",
	path: "path",
	content_grouping: "content_grouping",
	referrer: "referrer_domain",
	referrer_domain: "referrer_domain",
	channel: "channel_group",
} as const satisfies Record<string, Dimension>;

/** Operators of a segment in the catalog; what is equal does not depend on case. */
export const operatorMeanings = {
	eq: "is",
	neq: "is_not",
	contains: "contains",
	not_contains: "not_contains",
	starts_with: "starts_with",
	ends_with: "ends_with",
	in: "in",
	not_in: "not_in",
	regex: "regex",
	not_regex: "not_regex",
} as const satisfies Record<string, Operator>;

type Names<T> = [keyof T, ...(keyof T)[]];

/** Names of the fields. */
export const segmentFields = Object.keys(fieldDimensions) as Names<typeof fieldDimensions>;

/** Names of the operators. */
export const segmentOperators = Object.keys(operatorMeanings) as Names<typeof operatorMeanings>;
