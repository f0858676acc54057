import { Type } from "typebox";
import type { App } from "../../../platform/http/app.ts";
import { success } from "../../../platform/http/envelope.ts";
import { Success } from "../../../platform/http/schemas.ts";

/** The route that tells callers the address they come from, as the service sees it. */
export function registerClientAddress(app: App): void {
	app.route({
		method: "GET",
		url: "/utils/my-ip",
		schema: {
			tags: ["Utilities"],
			summary: "Address of the caller",
			response: { 200: Success(Type.Object({ ip: Type.String() })) },
		},
		config: { guard: { kind: "session", scope: "read" } },
		handler: async (request) => success({ ip: request.ip }),
	});
}
