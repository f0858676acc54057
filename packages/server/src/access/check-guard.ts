import { fieldError, orThrow, ServiceError } from "../platform/errors/service-error.ts";
import type { Metadata } from "../platform/metadata/metadata.ts";
import { type Guard, refusesImpersonation } from "./guard.ts";
import { type Caller, orgRoleReaches, type Reader, roleReaches } from "./principal.ts";
import { type LinkReader, siteOfLink } from "./shared-link.ts";
import { refusedParameter } from "./shared-view.ts";
import {
	findOrganizationFor,
	findSiteFor,
	leadsSome,
	type RequestOrganization,
	type RequestSite,
	reachableSitesOf,
} from "./site-store.ts";

type SiteGuard = Extract<Guard, { kind: "site" }>;

/** Where a request names its site: the parsed query string and path parameters. */
interface SiteSource {
	readonly query: Readonly<Record<string, unknown>>;
	readonly params: Readonly<Record<string, unknown>>;
}

/** Refuses a superadmin who acts as another user where only the user may act; throws `forbidden`. */
export function checkImpersonation(method: string, guard: Guard, principal: Reader): void {
	if (refusesImpersonation(method, guard)) refuseImpersonator(principal);
}

/** Refuses a superadmin who acts as somebody else; throws `forbidden`. For what a route does only sometimes. */
export function refuseImpersonator(principal: Reader): void {
	if (principal.kind !== "session" || principal.impersonatorId === null) return;
	throw refused("Not allowed while impersonating");
}

/** Refuses a session that may only decide on the request of an app, until its user's address is confirmed; throws `email_not_verified`. */
export function checkBoundSession(guard: Guard, principal: Reader): void {
	if (principal.kind !== "session" || principal.boundRequest === null) return;
	const admits = (guard.kind === "session" || guard.kind === "public") && guard.boundSession === "admitted";
	if (!admits) throw new ServiceError("email_not_verified");
}

/** Refuses a caller who lacks the scope that a route without a site demands; throws `forbidden`. */
export function checkScope(
	guard: Exclude<Guard, { kind: "public" | "site" | "organization" }>,
	principal: Reader,
	isDelegated: boolean,
): void {
	if (guard.kind === "principal") {
		if (principal.kind === "share" && guard.share !== "admitted") throw missingScope(guard.scope);
		if (principal.kind === "key" && !principal.scopes.includes(guard.scope)) throw missingScope(guard.scope);
		if (principal.kind === "oauth" && !admitsApps(guard, isDelegated)) throw missingScope(guard.scope);
		return;
	}
	if (principal.kind !== "session") throw missingScope(guard.scope);
	if (guard.superadmin && principal.role !== "superadmin") throw missingScope("superadmin");
	if (guard.billing && !principal.scopes.includes("billing:manage")) throw missingScope("billing:manage");
}

/**
 * The site of a request, when its caller may do there what the guard demands.
 * Throws, in this order: 422 without a site parameter, `account_not_found`, `forbidden` for the site, the scope, the role.
 */
export async function checkSite(
	metadata: Metadata,
	guard: SiteGuard,
	principal: Reader,
	source: SiteSource,
	isDelegated: boolean,
): Promise<RequestSite> {
	if (principal.kind === "share") return checkSharedSite(metadata, guard, principal, source);
	const siteId = siteParameter(guard, source);
	const site = orThrow(await findSiteFor(metadata, siteId, principal.userId), "account_not_found");
	const { role, organizationRole } = site;
	if (role === undefined || !opensSite(principal, siteId)) throw refused(`Access denied to account: ${siteId}`);
	if (principal.kind !== "session") {
		const scopes: readonly string[] = [guard.keyScope ?? (guard.write ? "write" : "read")].flat();
		const isAdmitted =
			principal.kind === "oauth"
				? admitsApps(guard, isDelegated)
				: principal.scopes.some((held) => scopes.includes(held));
		if (!isAdmitted) throw missingScope(scopes.join(" or "), guard.namesRefusals && "insufficient_scope");
	} else if (!roleReaches(role, guard.role)) {
		throw refused(`Required role: ${guard.role}`);
	} else if (
		guard.organizationRole !== undefined &&
		(organizationRole === null || !orgRoleReaches(organizationRole, guard.organizationRole))
	) {
		throw refused(`Required role: ${guard.organizationRole} of the organization`);
	}
	return { ...site, role, share: null };
}

/** The same for readers of a shared link: data that the link does not show is refused, whatever the request names. */
async function checkSharedSite(
	metadata: Metadata,
	guard: SiteGuard,
	principal: LinkReader,
	source: SiteSource,
): Promise<RequestSite> {
	const { share } = guard;
	const { view } = principal;
	const isShown = share !== undefined && !guard.write && (share === "overview" || view.lists.includes(share));
	if (!isShown) {
		throw new ServiceError(
			guard.namesRefusals ? "insufficient_scope" : "forbidden",
			"The shared link does not show this",
		);
	}
	const siteId = siteParameter(guard, source);
	if (siteId !== principal.siteId) throw refused(`Access denied to account: ${siteId}`);
	const parameter = refusedParameter(view, source.query);
	if (parameter !== undefined) throw refused(`The shared link does not allow ${parameter.slice(0, 64)}`);
	const site = await siteOfLink(metadata, principal);
	if (site === undefined) throw refused(`Access denied to account: ${siteId}`);
	return site;
}

/** Each grant has the one scope that reads, so the route alone decides. */
const admitsApps = ({ oauth }: { readonly oauth?: "admitted" | "delegated" }, isDelegated: boolean): boolean =>
	oauth === "admitted" || (oauth === "delegated" && isDelegated);

const missingScope = (scope: string, code: "forbidden" | "insufficient_scope" = "forbidden") =>
	new ServiceError(code, `Required scope: ${scope}`);

const opensSite = (principal: Reader, siteId: string): boolean =>
	principal.kind === "session" || principal.siteIds === null || principal.siteIds.includes(siteId);

function siteParameter(guard: SiteGuard, { query, params }: SiteSource): string {
	if (guard.refusesSiteId && query.site_id !== undefined) {
		throw fieldError("query.site_id", "Not a parameter here; account_id names the site", "extra_forbidden");
	}
	if (guard.siteFrom === "path") return oneText(params.id, "path.id");
	if (guard.siteFrom === "account") return oneText(query.account_id, "query.account_id");
	const { site_id: siteId, account_id: alias } = query;
	if (siteId !== undefined && alias !== undefined && siteId !== alias) {
		throw new ServiceError("bad_request", "site_id and account_id name different sites");
	}
	return oneText(siteId ?? alias, "query.site_id");
}

function oneText(value: unknown, field: string): string {
	if (value === undefined || value === "") throw fieldError(field, "is required", "missing");
	if (typeof value !== "string") throw fieldError(field, "must be given once", "string_type");
	return value.trim();
}

type OrganizationGuard = Extract<Guard, { kind: "organization" }>;

/**
 * The organization of a request, when its caller may do there what the guard demands. Throws, in this order: `not_found`
 * for one that does not exist or that the caller does not belong to, and `forbidden` for the scope and the role.
 */
export async function checkOrganization(
	metadata: Metadata,
	guard: OrganizationGuard,
	principal: Reader,
	params: Readonly<Record<string, unknown>>,
): Promise<RequestOrganization> {
	const { slug } = params;
	// A shared link does not reveal the organization of its site.
	if (principal.kind === "share") throw notFound();
	const found = typeof slug === "string" ? await findOrganizationFor(metadata, slug, principal.userId) : undefined;
	if (found === undefined || !(await opensOrganization(metadata, principal, found.id))) throw notFound();
	if (principal.kind !== "session") {
		const scope = guard.keyScope ?? (guard.write ? "write" : "read");
		if (principal.kind === "oauth" || !principal.scopes.some((held) => held === scope)) throw missingScope(scope);
	}
	if (!orgRoleReaches(found.role, guard.role)) throw refused(`Required role: ${guard.role}`);
	return found;
}

/** Refuses a user who has no such role in any organization, superadmins excepted; throws `forbidden`. */
export async function checkSomeOrganization(
	metadata: Metadata,
	guard: Extract<Guard, { kind: "session" }>,
	principal: Reader,
): Promise<void> {
	const { organizationRole: least } = guard;
	if (least === undefined || principal.kind !== "session" || principal.role === "superadmin") return;
	if (!(await leadsSome(metadata, principal.userId, least)))
		throw refused(`Required role: ${least} of an organization`);
}

const notFound = () => new ServiceError("not_found", "Organization not found");
const refused = (message: string) => new ServiceError("forbidden", message);

/** A key that is restricted to sites opens the organizations of those sites only. */
async function opensOrganization(metadata: Metadata, principal: Caller, organizationId: string): Promise<boolean> {
	if (principal.kind === "session" || principal.siteIds === null) return true;
	const reach = await reachableSitesOf(metadata, principal);
	return reach.some((site) => site.organizationId === organizationId);
}
