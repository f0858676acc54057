import { ServiceError } from "../../../platform/errors/service-error.ts";

const loopback: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Refuses a request of a web page that is not the service's own; throws `forbidden`. A name that the request itself gives
 * the service does not count, for an attacker's name can be made to lead here; on loopback there is no such name.
 */
export function checkOrigin(origin: string | undefined, host: string | undefined, rootUrl: string): void {
	if (origin === undefined || origin === new URL(rootUrl).origin) return;
	const page = URL.canParse(origin) ? new URL(origin) : undefined;
	if (page !== undefined && page.host === host && loopback.has(page.hostname)) return;
	throw new ServiceError("forbidden", { message: "Request from a foreign origin" });
}
