import { isWithinDomain } from "./domain-table.ts";

/** True when the host is an authorized domain or a subdomain of one. A site without domains authorizes every host. */
export function isAuthorizedHost(host: string, domains: readonly string[]): boolean {
	return domains.length === 0 || domains.some((domain) => isWithinDomain(host, domain));
}

/**
 * True when a referrer's host belongs to the site: an authorized domain or a subdomain of one.
 * A site without domains has only the page's own host to go by: then that host, its parents and its subdomains count.
 */
export function isSameSite(referrerHost: string, pageHost: string, domains: readonly string[]): boolean {
	if (referrerHost === pageHost) return true;
	if (domains.length > 0) return isAuthorizedHost(referrerHost, domains);
	return isWithinDomain(referrerHost, pageHost) || isWithinDomain(pageHost, referrerHost);
}
