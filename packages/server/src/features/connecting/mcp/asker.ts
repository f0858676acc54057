import { actingAs, type Caller } from "../../../access/index.ts";
import type { App } from "../../../platform/http/app.ts";
import type { RouteCall } from "./route-parameters.ts";

/** Answer of a route. */
interface RouteAnswer {
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

/** A request as far as tools are asked in its name. */
interface Asking {
	readonly caller: Caller;
	readonly ip: string;
	readonly headers: { readonly "user-agent"?: string | undefined };
	isSiteOpenHere(siteId: string): boolean;
}

/** The caller of a request as one who asks tools: routes are asked on their behalf and from their address. */
export function askerOf(app: Pick<App, "inject">, request: Asking): Asker {
	const { caller, ip: remoteAddress } = request;
	const headers = { "user-agent": request.headers["user-agent"] };
	return {
		caller,
		isSiteOpenHere: (siteId) => request.isSiteOpenHere(siteId),
		ask: async (call) => {
			const inject = () => app.inject({ ...call, remoteAddress, headers });
			const response = await actingAs(caller, inject, { countsReports: true });
			return { status: response.statusCode, body: response.json() };
		},
	};
}
