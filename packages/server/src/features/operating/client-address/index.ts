import { Type } from "typebox";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";

/** The route that tells callers the address they come from, as the service sees it. */
export function registerClientAddress(app: App): void {
	addRoute(app, "GET /utils/my-ip", {
		tags: ["Utilities"],
		summary: "Address of the caller",
		guard: { kind: "session", scope: "read" },
		data: Type.Object({ ip: Type.String() }),
		handler: async (request) => ({ ip: request.ip }),
	});
}
