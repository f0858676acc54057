import type { Caller } from "../../../access/index.ts";
import type { RouteCall } from "./route-parameters.ts";

/** Answer of a route. */
export interface RouteAnswer {
	readonly status: number;
	readonly body: unknown;
}

/** Caller of a tool, and their rights. */
export interface Asker {
	readonly caller: Caller;
	/** False when the caller's address shuts a site. */
	isSiteOpenHere(siteId: string): boolean;
	/** Asks a route of the service as this caller: guards, checks and answers are the route's own. */
	ask(call: RouteCall): Promise<RouteAnswer>;
}
