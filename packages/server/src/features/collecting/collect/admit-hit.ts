import { parsePageAddress } from "../../../analytics/attribution/page-address.ts";
import { isAuthorizedHost } from "../../../analytics/attribution/same-site.ts";
import { parseIpAddress } from "../../../platform/lib/ip-address.ts";
import { after } from "./after.ts";
import type { CollectContext, Outcome } from "./collect-context.ts";
import type { Hit } from "./hit.ts";
import { namedSite } from "./named-site.ts";
import { readPayload } from "./payload.ts";

/** Nothing is promised that the disk has no room for. */
export function checkRoom(_: Hit, { spool }: CollectContext): Outcome {
	return spool.accepts ? undefined : "unstored";
}

/** Reads what the tracker sent. A body that is no payload is counted under the site that it names all the same. */
export function decode(hit: Hit, { sites }: CollectContext): Outcome {
	const { body, isCut } = hit.request;
	const payload = isCut ? { malformed: true, siteId: namedSite(body) } : readPayload(body);
	if ("malformed" in payload) {
		const site = sites.get(payload.siteId);
		if (site !== undefined) hit.site = site;
		return "invalid_json";
	}
	hit.payload = payload;
	return undefined;
}

/** Finds the site, which has to be an active one. */
export function findSite(hit: Hit, { sites }: CollectContext): Outcome {
	const site = sites.get(hit.payload.siteId);
	if (site === undefined || !site.isActive) return "invalid_account";
	hit.site = site;
	return undefined;
}

/** Reads the page's address, which has to be within the site's domains. */
export function checkOrigin(hit: Hit): Outcome {
	const page = parsePageAddress(hit.payload.url);
	if (page === undefined) return "invalid_domain";
	hit.page = page;
	return isAuthorizedHost(page.host, hit.site.domains) ? undefined : "invalid_domain";
}

/** The token is one that the site's script carried lately. */
export function checkToken({ site, payload, request }: Hit, { tokens }: CollectContext): Outcome {
	return tokens.isValid(site.id, payload.token, request.receivedAt) ? undefined : "invalid_token";
}

/** The sender's address is not on the site's blocklist. */
export function checkBlocklist({ site, request }: Hit): Outcome {
	if (site.blockedAddresses === undefined) return undefined;
	const address = parseIpAddress(request.ip);
	return address && site.blockedAddresses.find(address) && "blocklist_ip";
}

/** The amount of a conversion is a number of a likely size, in the site's currency: no event is ever taken back. */
export function checkAmount({ site, payload }: Hit, { maxAmount }: CollectContext): Outcome {
	const { amount, currency } = payload;
	if (amount === 0) return undefined;
	if (!(Math.abs(amount) <= maxAmount)) return "invalid_amount";
	return currency === "" || currency === site.currency ? undefined : "other_currency";
}

/** The organization has not used up the events of its plan. */
export function checkQuota({ site }: Hit, { quota }: CollectContext): Outcome | Promise<Outcome> {
	return after(quota.hasRoom(site), (hasRoom): Outcome => (hasRoom ? undefined : "quota_exceeded"));
}
