import type { Guard } from "./access/index.ts";
import type { ApiInfo } from "./platform/http/openapi.ts";
import type { GuardDescription } from "./platform/http/route-rules.ts";

const session = [{ bearer: [] }, { cookie: [] }];
const key = { apiKey: [] };

/** Head of the OpenAPI description. */
export const apiInfo: ApiInfo = {
	title: "Footfall",
	version: "2.0.0",
	description: "First-party, cookie-free web analytics: reports, sites, tokens and the tracker.",
	tags: [
		{ name: "Stats", description: "Reports of a site" },
		{ name: "Sites", description: "Sites, their domains, UTM mappings and tracking snippet" },
		{ name: "Authentication", description: "Sign-in and sessions" },
		{ name: "Users", description: "User accounts" },
		{ name: "API tokens", description: "Keys for servers" },
		{ name: "Tracker", description: "The script that pages load" },
		{ name: "Health", description: "State of the service" },
		{ name: "API description", description: "This document" },
	],
	securitySchemes: {
		apiKey: { type: "apiKey", in: "header", name: "X-API-Key", description: "Read-only key of a server" },
		bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT", description: "Access token of a session" },
		cookie: { type: "apiKey", in: "cookie", name: "svc_access_token", description: "Access token in a browser" },
	},
};

/** What a guard asks for and may answer, for the description of its route. */
export function describeGuard(value: unknown): GuardDescription {
	const guard = value as Guard;
	switch (guard.kind) {
		case "public":
			return { security: [], errors: [] };
		case "session":
			return { security: session, errors: ["unauthorized", "token_expired", "token_invalid", "forbidden"] };
		case "principal":
			return { security: [key, ...session], errors: ["unauthorized", "token_expired", "token_invalid", "forbidden"] };
		case "site":
			return {
				security: guard.keyScope === null ? session : [key, ...session],
				errors: [
					"unauthorized",
					"token_expired",
					"token_invalid",
					"forbidden",
					"account_not_found",
					"validation_error",
				],
			};
	}
}
