import { isIPv4, isIPv6 } from "node:net";
import { domainToASCII } from "node:url";
import { zoneChoices } from "../../../analytics/attribution/country-of-zone.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";

const canonical = new Map<string, string>();

/** The IANA zone in its usual spelling (`europe/madrid` becomes `Europe/Madrid`); throws `invalid_timezone`. */
export function normalizeTimezone(zone: string): string {
	if (canonical.size === 0) {
		const names = [...Intl.supportedValuesOf("timeZone"), ...zoneChoices().map(({ timezone }) => timezone)];
		for (const name of names) canonical.set(name.toLowerCase(), name);
	}
	const known = canonical.get(zone.toLowerCase());
	if (known !== undefined) return known;
	// Offsets such as `+01:00` are no zones, though the platform takes them for such.
	if (!/^[A-Za-z][A-Za-z0-9_+\-/]*$/.test(zone)) throw new ServiceError("invalid_timezone");
	try {
		new Intl.DateTimeFormat("en", { timeZone: zone });
	} catch (cause) {
		throw new ServiceError("invalid_timezone", { cause });
	}
	return zone;
}

const MAX_HOST_LENGTH = 253;
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * The stored form of an authorized domain: lower-case punycode without scheme, path, port and one leading `www.`. IP addresses
 * have the form of a URL's host (`[::1]`), and a single label is a host of a private network. Throws `invalid_domain` for any
 * other text.
 */
export function normalizeDomain(text: string): string {
	const written = hostPart(text);
	const host = domainToASCII(written)
		.replace(/\.$/, "")
		.replace(/^www\.(?=.)/, "");
	// Browsers read a number such as 127.1 as an IPv4 address, which a typed domain rarely means.
	const isAddress = isIPv4(host) ? host === written : host.startsWith("[");
	if (!isAddress && !isHostName(host)) throw new ServiceError("invalid_domain");
	return host;
}

function hostPart(text: string): string {
	const withoutScheme = text.trim().replace(/^([a-z][a-z0-9+.-]*:)?\/\//i, "");
	const [authority = ""] = withoutScheme.split(/[/?#\\]/, 1);
	return isIPv6(authority) ? `[${authority}]` : authority.replace(/:\d{0,5}$/, "");
}

function isHostName(host: string): boolean {
	const labels = host.split(".");
	return (
		host.length <= MAX_HOST_LENGTH && !/^\d+$/.test(labels.at(-1) ?? "") && labels.every((label) => LABEL.test(label))
	);
}
