import { compilePattern } from "../../../analytics/attribution/search-pattern.ts";
import { fieldError } from "../../../platform/errors/service-error.ts";
import type { App } from "../../../platform/http/app.ts";
import {
	choice,
	flag,
	integer,
	nullableText,
	registerCollection,
	type SiteCollection,
	text,
} from "../../tenancy/site-collections/index.ts";
import { type AttributionChangeDeps, changeAttributionSettings } from "../attribution-settings/index.ts";

const referrerMappings: SiteCollection<"referrer_mappings"> = {
	tag: "Referrer mappings",
	path: "/referrer-mappings",
	idParam: "mapping_id",
	table: "referrer_mappings",
	noun: "Referrer mapping",
	plural: "referrer mappings",
	/** A site is served from memory, and a new referrer is compared with all of its mappings. */
	limit: 1000,
	audit: "referrer_mapping",
	isDated: true,
	list: {
		key: "mappings",
		description: "In order of evaluation",
		order: ["priority desc", "id"],
	},
	summaries: {
		list: "Referrer mappings",
		get: "One referrer mapping",
		create: "Add a referrer mapping",
		change: "Change a referrer mapping",
		remove: "Remove a referrer mapping",
	},
	fields: {
		referrer_pattern: text(1, 255, {
			description: "Compared with the domain of the referrer: lower-case, without a leading www.",
		}),
		match_type: choice(["exact", "contains", "starts_with", "ends_with", "regex"], "exact"),
		utm_source: text(1, 255),
		utm_medium: text(0, 100, { default: "referral" }),
		utm_campaign: text(0, 255, { default: "" }),
		utm_term: text(0, 255, { default: "" }),
		utm_content: text(0, 255, { default: "" }),
		label: nullableText(100),
		description: nullableText(500),
		priority: integer({
			minimum: 0,
			maximum: 1000,
			description: "Rules with the highest number are evaluated first",
			default: 0,
		}),
		is_active: flag(true),
	},
	check: ({ match_type, referrer_pattern }) => {
		if (match_type !== "regex" || compilePattern(referrer_pattern) !== undefined) return;
		throw fieldError("body.referrer_pattern", "Not a valid RE2 expression, or too large a one", "regex");
	},
};

/** Routes on the names that a site gives to its referrers. */
export function registerReferrerMappings(app: App, deps: AttributionChangeDeps): void {
	registerCollection(app, deps.metadata, referrerMappings, ({ site, actor }, change) =>
		changeAttributionSettings(deps, { siteId: site.id, actor }, change),
	);
}
