import type { IncomingHttpHeaders } from "node:http";
import { isIP } from "node:net";

const NAME = "x-forwarded-for";

/**
 * Cuts from `X-Forwarded-For` what is no address, and what stands before it: a proxy that passes on what it was sent would
 * make any text the client's address, with a limit of its own each. What proxies added behind it stays.
 */
export function dropFalseAddresses(headers: IncomingHttpHeaders): void {
	const given = headers[NAME];
	if (given === undefined) return;
	const entries = [given].flat().join(",").split(",");
	const last = entries.findLastIndex((entry) => isIP(entry.trim()) === 0);
	if (last === -1) return;
	const kept = entries.slice(last + 1).join(",");
	if (kept === "") delete headers[NAME];
	else headers[NAME] = kept;
}
