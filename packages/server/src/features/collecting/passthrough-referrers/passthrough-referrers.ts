import { fieldError, ServiceError } from "../../../platform/errors/service-error.ts";
import type { App } from "../../../platform/http/app.ts";
import { flag, registerCollection, type SiteCollection, text } from "../../tenancy/site-collections/index.ts";
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

/** Routes on the referrers that do not interrupt a session. */
export function registerPassthroughReferrers(app: App, deps: AttributionChangeDeps): void {
	registerCollection(app, deps.metadata, passthroughReferrers, ({ site, actor }, change) =>
		changeAttributionSettings(deps, { siteId: site.id, actor }, change),
	);
}
