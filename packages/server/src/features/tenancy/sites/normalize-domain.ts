import { isIP } from "node:net";
import { domainToASCII } from "node:url";
import { ServiceError } from "../../../platform/errors/service-error.ts";

const MAX_HOST_LENGTH = 253;
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * The stored form of an authorized domain: lower-case punycode without scheme, path, port and one leading `www.`.
 * Throws `invalid_domain` for what is not a host name, an IP address or a single label;
 * `localhost` passes where `allowLocalhost` says so.
 */
export function normalizeDomain(text: string, options: { allowLocalhost: boolean }): string {
	const host = domainToASCII(hostPart(text))
		.replace(/\.$/, "")
		.replace(/^www\./, "");
	if (host === "localhost" && options.allowLocalhost) return host;
	if (!isHostName(host)) throw new ServiceError("invalid_domain");
	return host;
}

function hostPart(text: string): string {
	const withoutScheme = text.trim().replace(/^([a-z][a-z0-9+.-]*:)?\/\//i, "");
	const [authority = ""] = withoutScheme.split(/[/?#\\]/, 1);
	return authority.replace(/:\d{0,5}$/, "");
}

function isHostName(host: string): boolean {
	if (host.length > MAX_HOST_LENGTH || isIP(host) !== 0) return false;
	const labels = host.split(".");
	const [top = ""] = labels.slice(-1);
	return labels.length > 1 && labels.every((label) => LABEL.test(label)) && !/^\d+$/.test(top);
}
