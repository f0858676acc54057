import type { Guard } from "../access/index.ts";
import type { ApiInfo } from "../platform/http/openapi/register-openapi.ts";
import type { GuardDescription } from "../platform/http/route-rules.ts";

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
		{ name: "Batch", description: "Run many reports in one request" },
		{ name: "Segments", description: "Saved sets of filters for reports" },
		{ name: "Annotations", description: "Notes on days of the chart" },
		{
			name: "Saved views",
			description: "Stored reports, funnels and queries, for one user or shared with all users of the site",
		},
		{ name: "Exports", description: "Files of reports and rows" },
		{ name: "Imports", description: "Data from files of other tools, marked as imported and removable" },
		{ name: "Migration", description: "Data migrated from an older service" },
		{ name: "BigQuery", description: "Data of a site in BigQuery tables of its owners" },
		{ name: "Assistant", description: "Questions about a site in plain language, answered from its reports" },
		{ name: "Webhooks", description: "Signed notifications of events to your servers" },
		{ name: "Alerts", description: "Alert rules, alerts, and goals" },
		{
			name: "Insights",
			description: "Findings of fixed rules in the data of a site, and weekly and monthly reports",
		},
		{ name: "Mail reports", description: "Summaries mailed every week or month" },
		{ name: "Shared links", description: "Reports for people without an account, on a page or embedded" },
		{ name: "Sites", description: "Sites, their domains, UTM mappings and tracking snippet" },
		{ name: "IP allowlist", description: "Addresses from which the reports of a site may be opened" },
		{ name: "Blocklist", description: "Addresses whose hits a site does not count" },
		{ name: "Channel groups", description: "Rules that assign channels to visits" },
		{ name: "Passthrough referrers", description: "Domains whose visitors keep their original source" },
		{ name: "Referrer mappings", description: "Names for referring domains" },
		{ name: "Bot statistics", description: "Suspicion scores of the hits of a site" },
		{ name: "Authentication", description: "Sign-in and sessions" },
		{ name: "Two-factor authentication", description: "Authenticator apps and backup codes" },
		{ name: "Impersonation", description: "Acting as another user, for superadmins" },
		{ name: "Users", description: "User accounts" },
		{ name: "Organizations", description: "Organizations, their members and invitations" },
		{ name: "Billing", description: "Plans, usage and payment" },
		{ name: "API tokens", description: "Read-only keys for servers" },
		{ name: "Connections", description: "Apps and AI assistants that users let read one site (OAuth 2.1)" },
		{ name: "Audit log", description: "Log of changes" },
		{ name: "Operating", description: "State of the service, for superadmins" },
		{ name: "Provisioning", description: "Sites created by a channel for others" },
		{ name: "Tracker", description: "The script that pages load" },
		{ name: "Utilities", description: "Small tools, such as the address of the caller" },
		{ name: "Health", description: "State of the service" },
		{ name: "API description", description: "This document" },
	],
	securitySchemes: {
		apiKey: { type: "apiKey", in: "header", name: "X-API-Key", description: "Read-only key of a server" },
		bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT", description: "Access token of a session" },
		cookie: { type: "apiKey", in: "cookie", name: "svc_access_token", description: "Access token in a browser" },
		oauth: {
			type: "oauth2",
			description: "Access token of a connected app, for one site",
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

/** Refusals of every guard but `public`. */
const refusals = ["unauthorized", "token_expired", "token_invalid", "forbidden"] as const;

/** Requirements and refusals of a guard, for the description of its route. */
export function describeGuard(value: unknown): GuardDescription {
	const guard = value as Guard;
	if (guard.kind === "public") return { security: [], errors: [], access: "Public.", rule: { kind: "public" } };
	const hasKeys = guard.kind === "principal" || ("keyScope" in guard && guard.keyScope !== null);
	const hasApps = "oauth" in guard && guard.oauth === "admitted";
	const { callers, rule, errors } = describeKind(guard);
	return {
		security: [
			...(hasKeys ? [{ apiKey: [] }] : []),
			...[{ bearer: [] }, { cookie: [] }],
			...(hasApps ? [{ oauth: ["analytics:read"] }] : []),
		],
		errors: [...refusals, ...errors],
		access: `${callers}${guard.impersonation === "refused" ? " Refused while impersonating." : ""}`,
		rule: { kind: guard.kind, ...rule },
	};
}

interface KindDescription extends Pick<GuardDescription, "errors"> {
	/** Admitted callers, in words. */
	readonly callers: string;
	/**
	 * The rule from which clients generate permissions, beside its `kind`: the least `role` on the site or in the organization;
	 * `write`: it changes something; `superadmin`; `billing`: owners of an organization; `organization_role`: the least role in
	 * the organization of the site or job, beside that on the site; `keys`: scopes of keys, any of which opens it.
	 */
	readonly rule: Readonly<Record<string, unknown>>;
}

function describeKind(guard: Exclude<Guard, { kind: "public" }>): KindDescription {
	switch (guard.kind) {
		case "session":
			return {
				callers: describeSession(guard),
				rule: {
					write: guard.scope === "write",
					...(guard.superadmin && { superadmin: true }),
					...(guard.billing && { billing: true }),
					...(guard.organizationRole && { organization_role: guard.organizationRole }),
				},
				errors: guard.billing ? ["not_found"] : [],
			};
		case "principal":
			return {
				callers: `Requires a signed-in user, or an API key with the scope \`${guard.scope}\`.${guard.share === undefined ? "" : " Open to share links."}`,
				rule: { write: false, keys: [guard.scope] },
				errors: [],
			};
		case "organization":
			return {
				callers: `Requires the role ${guard.role} in the organization, or a higher one. ${keysOf(guard.keyScope)}`,
				rule: { role: guard.role, write: guard.write, ...(guard.keyScope !== null && { keys: [guard.keyScope] }) },
				errors: ["not_found"],
			};
		case "site":
			return {
				callers: `Requires the role ${guard.organizationRole === undefined ? `${guard.role} on the site` : `${guard.organizationRole} in its organization`}, or a higher one. ${keysOf(guard.keyScope)}${guard.oauth === "admitted" ? " Open to connected apps." : ""}${linksOf(guard.share)}`,
				rule: {
					role: guard.role,
					...(guard.organizationRole && { organization_role: guard.organizationRole }),
					write: guard.write,
					...(guard.keyScope !== null && { keys: [guard.keyScope].flat() }),
				},
				errors: [
					...(guard.siteFrom === "query" ? (["bad_request"] as const) : []),
					...(guard.namesRefusals ? (["missing_credentials", "insufficient_scope"] as const) : []),
					"account_not_found",
					"validation_error",
				],
			};
	}
}

function describeSession({ billing, organizationRole, superadmin }: Extract<Guard, { kind: "session" }>): string {
	if (billing === true) return "Requires an owner of the organization, or a superadmin (`billing:manage`).";
	if (organizationRole !== undefined)
		return `Requires the role ${organizationRole} in the organization, or a higher one.`;
	return superadmin === true ? "Requires a signed-in superadmin." : "Requires a signed-in user.";
}

const keysOf = (scope: string | readonly string[] | null): string =>
	scope === null
		? "API keys are refused."
		: `API keys need the scope ${[scope]
				.flat()
				.map((name) => `\`${name}\``)
				.join(" or ")}.`;

const linksOf = (share: string | undefined): string => {
	if (share === undefined) return "";
	return share === "overview" ? " Open to share links." : ` Open to share links that show \`${share}\`.`;
};
