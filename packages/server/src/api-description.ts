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
		{ name: "Batch", description: "Many reports in one request" },
		{ name: "Segments", description: "Saved choices of visits that reports can be asked about" },
		{ name: "Sites", description: "Sites, their domains, UTM mappings and tracking snippet" },
		{ name: "Channel groups", description: "Rules that give visits their channel" },
		{ name: "Passthrough referrers", description: "Domains whose arrivals keep the source of the running visit" },
		{ name: "Referrer mappings", description: "A site's own names for the domains that visits come from" },
		{ name: "Bot statistics", description: "How suspicious the hits of a site are" },
		{ name: "Authentication", description: "Sign-in and sessions" },
		{ name: "Users", description: "User accounts" },
		{ name: "API tokens", description: "Keys for servers" },
		{ name: "Tracker", description: "The script that pages load" },
		{ name: "Utilities", description: "Small helpers" },
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
					...(guard.namesRefusals ? (["missing_credentials", "insufficient_scope"] as const) : []),
					"account_not_found",
					"validation_error",
				],
			};
	}
}
