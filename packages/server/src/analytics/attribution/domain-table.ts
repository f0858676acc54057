/** Values by domain; a domain stands for itself and its subdomains. */
export type DomainTable<V> = ReadonlyMap<string, V>;

/** The value of the longest domain in the table that is the host or a parent of it. */
export function findByDomain<V>(table: DomainTable<V>, host: string): V | undefined {
	let rest = host;
	for (;;) {
		const found = table.get(rest);
		if (found !== undefined) return found;
		const dot = rest.indexOf(".");
		if (dot < 0) return undefined;
		rest = rest.slice(dot + 1);
	}
}

/** True when the host is the domain or a subdomain of it. */
function isWithinDomain(host: string, domain: string): boolean {
	if (!host.endsWith(domain)) return false;
	return host.length === domain.length || host.charCodeAt(host.length - domain.length - 1) === 0x2e;
}

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
