import { ServiceError } from "../platform/errors/service-error.ts";
import type { Metadata } from "../platform/metadata/metadata.ts";
import type { Guard } from "./guard.ts";
import { findOrganizationFor, leadsSome, type RequestOrganization } from "./organization-store.ts";
import type { Caller, Reader } from "./principal.ts";
import { orgRoleReaches } from "./roles.ts";
import { reachableSitesOf } from "./site-store.ts";

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
	if (found === undefined || !(await opensOrganization(metadata, principal, found.id))) {
		throw notFound();
	}
	if (principal.kind !== "session") {
		const scope = guard.keyScope ?? (guard.write ? "write" : "read");
		if (principal.kind === "oauth" || !principal.scopes.some((held) => held === scope))
			throw refused(`Required scope: ${scope}`);
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

const notFound = () => new ServiceError("not_found", { message: "Organization not found" });
const refused = (message: string) => new ServiceError("forbidden", { message });

/** A key that is restricted to sites opens the organizations of those sites only. */
async function opensOrganization(metadata: Metadata, principal: Caller, organizationId: string): Promise<boolean> {
	if (principal.kind === "session" || principal.siteIds === null) return true;
	const reach = await reachableSitesOf(metadata, principal);
	return reach.some((site) => site.organizationId === organizationId);
}
