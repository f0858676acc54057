import type { IncomingMessage, ServerResponse } from "node:http";
import { isCollectRequest, refuseHits } from "../features/collecting/collect/index.ts";
import { isWhole, type Role } from "../platform/config/roles.ts";
import type { ReadyConfig } from "../platform/config/secret-key.ts";
import type { ServedPart } from "../platform/http/create-http-app.ts";

/** Routes of every process. */
const OF_ALL: ReadonlySet<string> = new Set(["/livez", "/readyz", "/health", "/metrics"]);
/** Routes for pages of sites, beside `/event`. */
const OF_COLLECTORS: ReadonlySet<string> = new Set(["/t.js"]);

/** Whether every process answers an address. */
export const isOfAll = (path: string): boolean => OF_ALL.has(path);
/** Whether an address is one of those that pages of sites ask for. */
export const isOfCollectors = (path: string): boolean => OF_COLLECTORS.has(path);

/** Routes that a process with these roles serves; undefined for all. */
export function servedPart(config: Pick<ReadyConfig, "roles">): ServedPart | undefined {
	if (isWhole(config)) return undefined;
	const has = (role: Role) => config.roles.includes(role);
	return {
		has: (path) => OF_ALL.has(path) || has(OF_COLLECTORS.has(path) ? "collect" : "api"),
		refusal: `This process has only the roles ${config.roles.join(", ")} (ROLES): another one serves this address`,
	};
}

/** Refuses hits in a process without a collector, so that no client believes them stored. */
export function refusingHits(request: IncomingMessage, response: ServerResponse): boolean {
	if (!isCollectRequest(request)) return false;
	refuseHits(request, response, "This process does not collect (ROLES): send hits to one that does");
	return true;
}
