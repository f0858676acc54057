import { compilePattern } from "../../../analytics/attribution/search-pattern.ts";
import { fieldError, ServiceError } from "../../../platform/errors/service-error.ts";
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
import { normalizeDomain } from "../../tenancy/sites/index.ts";
import { type AttributionChangeDeps, changeAttributionSettings } from "../attribution-settings/index.ts";

/** The stored form of a rule's domain, which is that of an authorized one; 422 for an address, one label, or no host name. */
function passthroughDomain(value: unknown): string {
	try {
		const domain = normalizeDomain(String(value));
		if (/\.\d*[a-z][^.]*$/.test(domain)) return domain;
	} catch (error) {
		if (!(error instanceof ServiceError)) throw error;
	}
	throw fieldError("body.domain", "Must be a domain name such as pay.example.com", "domain");
}

const passthroughReferrers: SiteCollection<"passthrough_referrers"> = {
	tag: "Passthrough referrers",
	path: "/passthrough-referrers",
	idParam: "referrer_id",
	table: "passthrough_referrers",
	noun: "Passthrough referrer",
	plural: "passthrough referrers",
	limit: 200,
	audit: "passthrough",
	unique: { field: "domain", noun: "domain" },
	isDated: true,
	list: { key: "referrers", order: ["id desc"] },
	summaries: {
		list: "Passthrough referrers",
		get: "One passthrough referrer",
		create: "Add a domain whose visitors keep their original source",
		change: "Change a passthrough referrer",
		remove: "Remove a passthrough referrer",
	},
	fields: {
		domain: text(1, 255, {
			description: "Applies to subdomains too; scheme, path, port and a leading www. are removed",
			canonical: passthroughDomain,
		}),
		utm_source: text(1, 255, { description: "Of a visit that starts without a running session" }),
		utm_medium: text(0, 100, { default: "passthrough" }),
		utm_campaign: text(0, 255, { default: "" }),
		utm_term: text(0, 255, { default: "" }),
		service_name: text(0, 100, { default: "" }),
		is_active: flag(true),
	},
};

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
	list: { key: "mappings", description: "In order of evaluation", order: ["priority desc", "id"] },
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

/** Routes on the referrers that do not interrupt a session, and on the names that a site gives to its referrers. */
export function registerReferrerRules(app: App, deps: AttributionChangeDeps): void {
	const run: Parameters<typeof registerCollection>[3] = (by, change) => changeAttributionSettings(deps, by, change);
	registerCollection(app, deps.metadata, passthroughReferrers, run);
	registerCollection(app, deps.metadata, referrerMappings, run);
}
