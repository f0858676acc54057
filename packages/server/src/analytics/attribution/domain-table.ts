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
export function isWithinDomain(host: string, domain: string): boolean {
	if (!host.endsWith(domain)) return false;
	return host.length === domain.length || host.charCodeAt(host.length - domain.length - 1) === 0x2e;
}
