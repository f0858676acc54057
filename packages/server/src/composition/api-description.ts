import type { Guard } from "../access/index.ts";
import type { ApiInfo } from "../platform/http/openapi/register-openapi.ts";
import type { GuardDescription } from "../platform/http/route-rules.ts";

const session = [{ bearer: [] }, { cookie: [] }];
const key = { apiKey: [] };
const app = { oauth: ["analytics:read"] };

/** Whom a route with these doors lets in beside sessions. */
const doorsOf = ({ hasKeys, oauth }: { hasKeys: boolean; oauth?: "admitted" | "delegated" }) => [
	...(hasKeys ? [key] : []),
	...session,
	...(oauth === "admitted" ? [app] : []),
];

/** Head of the OpenAPI description. */
export const apiInfo: ApiInfo = {
	title: "Footfall",
	version: "2.0.0",
	description:
		"First-party, cookie-free web analytics: reports, sites, tokens and the tracker. Explained in [the guide](/help/api).",
	license: { name: "Apache-2.0", identifier: "Apache-2.0" },
	contact: { name: "Whoever runs this installation" },
	servers: [{ url: "/", description: "This installation" }],
	tags: [
		{ name: "Stats", description: "Reports of a site" },
		{ name: "Batch", description: "Many reports in one request" },
		{ name: "Segments", description: "Saved choices of visits that reports can be asked about" },
		{ name: "Annotations", description: "What people write beside the figures of a day" },
		{ name: "Saved views", description: "Questions that people keep, for themselves or for all who see the site" },
		{ name: "Exports", description: "Files of reports and rows" },
		{ name: "Imports", description: "Files of other tools, as rows that can be told apart and taken back" },
		{ name: "Migration", description: "Figures that are brought over from an older service" },
		{ name: "BigQuery", description: "The figures of a site in tables of its owners" },
		{ name: "Assistant", description: "Questions about a site in words, answered from its reports" },
		{ name: "Webhooks", description: "Receivers that are told what happens, signed" },
		{ name: "Alerts", description: "Rules that warn, and goals" },
		{
			name: "Insights",
			description: "What rules find in the figures of a site, and reports about its weeks and months",
		},
		{ name: "Mail reports", description: "Summaries that are mailed every week or month" },
		{ name: "Shared links", description: "Reports for people without an account, on a page or framed by one" },
		{ name: "Sites", description: "Sites, their domains, UTM mappings and tracking snippet" },
		{ name: "IP allowlist", description: "Addresses from which a site may be opened" },
		{ name: "Blocklist", description: "Addresses whose hits a site does not count" },
		{ name: "Channel groups", description: "Rules that give visits their channel" },
		{ name: "Passthrough referrers", description: "Domains whose arrivals keep the source of the running visit" },
		{ name: "Referrer mappings", description: "A site's own names for the domains that visits come from" },
		{ name: "Bot statistics", description: "How suspicious the hits of a site are" },
		{ name: "Authentication", description: "Sign-in and sessions" },
		{ name: "Two-factor authentication", description: "Authenticator apps and backup codes" },
		{ name: "Impersonation", description: "Acting as another user, for superadmins" },
		{ name: "Users", description: "User accounts" },
		{ name: "Organizations", description: "Who works together, who belongs to it, and who is invited" },
		{ name: "Billing", description: "What an organization uses of its plan, and what it pays" },
		{ name: "API tokens", description: "Keys for servers" },
		{ name: "Connections", description: "Apps and AI assistants that users let read one site (OAuth 2.1)" },
		{ name: "Audit log", description: "Who changed what" },
		{ name: "Operating", description: "How the service fares, for superadmins" },
		{ name: "Provisioning", description: "Sites that a channel sets up for others" },
		{ name: "Tracker", description: "The script that pages load" },
		{ name: "Utilities", description: "Small helpers" },
		{ name: "Health", description: "State of the service" },
		{ name: "API description", description: "This document" },
	],
	securitySchemes: {
		apiKey: { type: "apiKey", in: "header", name: "X-API-Key", description: "Read-only key of a server" },
		bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT", description: "Access token of a session" },
		cookie: { type: "apiKey", in: "cookie", name: "svc_access_token", description: "Access token in a browser" },
		oauth: {
			type: "oauth2",
			description: "Access token of an app that a user let read one site",
			flows: {
				authorizationCode: {
					authorizationUrl: "/api/v1/oauth/authorize",
					tokenUrl: "/api/v1/oauth/token",
					refreshUrl: "/api/v1/oauth/token",
					scopes: {
						"analytics:read": "Read the approved site",
						offline_access: "Stay connected, by a refresh token",
					},
				},
			},
		},
	},
};

/** Requirements and refusals of a guard, for the description of its route. */
export function describeGuard(value: unknown): GuardDescription {
	const guard = value as Guard;
	return { ...answersOf(guard), access: accessOf(guard), rule: ruleOf(guard) };
}

/**
 * The rule from which clients generate permissions: `kind`; the least `role` on the site or in the organization; `write`: it changes
 * something; `superadmin`; `billing`: owners of an organization; `organization_role`: the least role in the organization of the
 * site or job, beside that on the site; `keys`: scopes of keys, any of which opens it.
 */
function ruleOf(guard: Guard): Readonly<Record<string, unknown>> {
	switch (guard.kind) {
		case "public":
			return { kind: "public" };
		case "session":
			return {
				kind: "session",
				write: guard.scope === "write",
				...(guard.superadmin && { superadmin: true }),
				...(guard.billing && { billing: true }),
				...(guard.organizationRole && { organization_role: guard.organizationRole }),
			};
		case "principal":
			return { kind: "principal", write: false, keys: [guard.scope] };
		case "organization":
		case "site":
			return {
				kind: guard.kind,
				role: guard.role,
				...(guard.kind === "site" && guard.organizationRole && { organization_role: guard.organizationRole }),
				write: guard.write,
				...(guard.keyScope !== null && { keys: [guard.keyScope].flat() }),
			};
	}
}

/** Admitted callers, in words. */
function accessOf(guard: Guard): string {
	if (guard.kind === "public") return "Open to everybody.";
	const closed = guard.impersonation === "refused" ? " Closed to superadmins who act as somebody else." : "";
	return `${callersOf(guard)}${closed}`;
}

function callersOf(guard: Exclude<Guard, { kind: "public" }>): string {
	switch (guard.kind) {
		case "session":
			if (guard.billing === true) return "For owners of an organization and superadmins (`billing:manage`).";
			if (guard.organizationRole !== undefined)
				return `For the ${guard.organizationRole}s of the organization concerned and those above them.`;
			return guard.superadmin === true ? "For superadmins who are signed in." : "For whoever is signed in.";
		case "principal":
			return `For whoever is signed in, and for keys with the scope \`${guard.scope}\`.${guard.share === undefined ? "" : " Open to shared links."}`;
		case "organization":
			return `For the ${guard.role}s of the organization and those above them. ${keysOf(guard.keyScope)}`;
		case "site":
			return `For the ${guard.organizationRole === undefined ? `${guard.role}s of the site` : `${guard.organizationRole}s of its organization`} and those above them. ${keysOf(guard.keyScope)}${appsOf(guard.oauth)}${linksOf(guard.share)}`;
	}
}

const keysOf = (scope: string | readonly string[] | null): string =>
	scope === null
		? "Not for keys."
		: `Keys need the scope ${[scope]
				.flat()
				.map((name) => `\`${name}\``)
				.join(" or ")}.`;

const appsOf = (oauth: "admitted" | "delegated" | undefined): string =>
	oauth === "admitted" ? " Open to connected apps." : "";

const linksOf = (share: string | undefined): string => {
	if (share === undefined) return "";
	return share === "overview" ? " Open to shared links." : ` Open to shared links that show \`${share}\`.`;
};

function answersOf(guard: Guard): Omit<GuardDescription, "access"> {
	switch (guard.kind) {
		case "public":
			return { security: [], errors: [] };
		case "session":
			return {
				security: session,
				errors: [
					"unauthorized",
					"token_expired",
					"token_invalid",
					"forbidden",
					...(guard.billing ? (["not_found"] as const) : []),
				],
			};
		case "principal":
			return {
				security: doorsOf({ ...guard, hasKeys: true }),
				errors: ["unauthorized", "token_expired", "token_invalid", "forbidden"],
			};
		case "organization":
			return {
				security: guard.keyScope === null ? session : [key, ...session],
				errors: ["unauthorized", "token_expired", "token_invalid", "forbidden", "not_found"],
			};
		case "site":
			return {
				security: doorsOf({ ...guard, hasKeys: guard.keyScope !== null }),
				errors: [
					"unauthorized",
					"token_expired",
					"token_invalid",
					"forbidden",
					...(guard.siteFrom === "query" ? (["bad_request"] as const) : []),
					...(guard.namesRefusals ? (["missing_credentials", "insufficient_scope"] as const) : []),
					"account_not_found",
					"validation_error",
				],
			};
	}
}
