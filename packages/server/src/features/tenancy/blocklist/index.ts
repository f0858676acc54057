import { fieldError } from "../../../platform/errors/service-error.ts";
import type { App } from "../../../platform/http/app.ts";
import { formatIpOrRange, parseIpOrRange } from "../../../platform/lib/ip-address.ts";
import { changeInTurn } from "../organizations/index.ts";
import { flag, registerCollection, type SiteCollection, text } from "../site-collections/index.ts";
import { changeSites, type SiteChangeDeps } from "../sites/index.ts";

/** The address or range in one form; throws 422 for any other text. */
function canonicalRange(value: unknown): string {
	const range = parseIpOrRange(String(value));
	if (range === undefined) {
		throw fieldError("body.ip_or_cidr", "Must be an address or a range such as 203.0.113.0/24", "ip_or_cidr");
	}
	return formatIpOrRange(range);
}

const blocklist: SiteCollection<"blocklist_entries"> = {
	tag: "Blocklist",
	path: "/blocklist-ips",
	idParam: "entry_id",
	table: "blocklist_entries",
	noun: "Blocklist entry",
	plural: "blocklist entries",
	limit: 100,
	audit: "blocklist",
	facts: ({ ip_or_cidr }) => ({ ip_or_cidr }),
	unique: { field: "ip_or_cidr", noun: "entry" },
	list: { key: "entries", order: ["id desc"] },
	summaries: {
		list: "IP addresses whose hits are not counted",
		get: "One blocklist entry",
		create: "Exclude the hits of an address or range",
		change: "Change a blocklist entry",
		remove: "Remove a blocklist entry",
	},
	fields: {
		ip_or_cidr: text(1, 50, {
			description: "An address, or a range such as 203.0.113.0/24 or 2001:db8::/32",
			canonical: canonicalRange,
		}),
		reason: text(0, 255, { default: "" }),
		is_active: flag(true),
	},
};

/** Routes on the addresses whose hits a site does not count. */
export function registerBlocklist(app: App, deps: SiteChangeDeps): void {
	registerCollection(app, deps.metadata, blocklist, (by, change) =>
		changeInTurn(deps, by, change, (work) => changeSites(deps, [by.site.id], work)),
	);
}
