import { ApiError, fieldError } from "../platform/http/api-error.ts";
import type { Metadata } from "../platform/metadata/metadata.ts";
import type { Guard } from "./guard.ts";
import type { Caller } from "./principal.ts";
import { roleReaches } from "./roles.ts";
import { findSiteFor, type RequestSite } from "./site-store.ts";

const SLUG = /^[a-z0-9-]{1,64}$/;

type SiteGuard = Extract<Guard, { kind: "site" }>;

/** Where a request names its site: the parsed query string and path parameters. */
export interface SiteSource {
	readonly query: Readonly<Record<string, unknown>>;
	readonly params: Readonly<Record<string, unknown>>;
}

/** Refuses a caller who lacks the scope that a route without a site demands; throws `forbidden`. */
export function checkScope(guard: Exclude<Guard, { kind: "public" | "site" }>, principal: Caller): void {
	if (guard.kind === "principal") {
		if (principal.kind === "key" && !principal.scopes.includes(guard.scope)) throw missingScope(guard.scope);
		return;
	}
	if (principal.kind === "key") throw missingScope(guard.scope);
	if (guard.superadmin && principal.role !== "superadmin") throw missingScope("superadmin");
}

/**
 * The site of a request, when its caller may do there what the guard demands.
 * Throws, in this order: 422 without a site parameter, `account_not_found`, `forbidden` for the site, the scope, the role.
 */
export async function checkSite(
	metadata: Metadata,
	guard: SiteGuard,
	principal: Caller,
	source: SiteSource,
): Promise<RequestSite> {
	const siteId = siteParameter(guard, source);
	// Other texts name no site; some of them PostgreSQL would refuse to compare.
	const site = SLUG.test(siteId) ? await findSiteFor(metadata, siteId, principal.userId) : undefined;
	if (site === undefined) throw new ApiError("account_not_found");
	const { role } = site;
	if (role === undefined || !opensSite(principal, siteId)) {
		throw new ApiError("forbidden", { message: `Access denied to account: ${siteId}` });
	}
	if (principal.kind === "key") {
		const scopes: readonly string[] = [guard.keyScope ?? (guard.write ? "write" : "read")].flat();
		if (!principal.scopes.some((held) => scopes.includes(held))) {
			throw missingScope(scopes.join(" or "), guard.namesRefusals && "insufficient_scope");
		}
	} else if (!roleReaches(role, guard.role)) {
		throw new ApiError("forbidden", { message: `Required role: ${guard.role}` });
	}
	return { ...site, role };
}

const missingScope = (scope: string, code: "forbidden" | "insufficient_scope" = "forbidden") =>
	new ApiError(code, { message: `Required scope: ${scope}` });

const opensSite = (principal: Caller, siteId: string): boolean =>
	principal.kind === "session" || principal.siteIds === null || principal.siteIds.includes(siteId);

function siteParameter(guard: SiteGuard, { query, params }: SiteSource): string {
	if (guard.siteFrom === "path") return oneText(params.id, "path.id");
	if (guard.siteFrom === "account") return oneText(query.account_id, "query.account_id");
	const { site_id: siteId, account_id: alias } = query;
	if (siteId !== undefined && alias !== undefined && siteId !== alias) {
		throw new ApiError("bad_request", { message: "site_id and account_id name different sites" });
	}
	return oneText(siteId ?? alias, "query.site_id");
}

function oneText(value: unknown, field: string): string {
	if (value === undefined || value === "") throw fieldError(field, "Field required", "missing");
	if (typeof value !== "string") throw fieldError(field, "Must be given once", "string_type");
	return value.trim();
}
