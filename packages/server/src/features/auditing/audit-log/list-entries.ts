import { findOrganizationFor, findSiteFor } from "../../../access/index.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { type AuditFilter, type AuditView, type EntryRow, selectEntries } from "./store.ts";

/** An organization as its member sees it. */
interface AuditMembership {
	readonly id: string;
	readonly role: "owner" | "admin" | "member";
	/** Whether the plan has the audit log. */
	readonly hasFeature: boolean;
}

/** Dependencies of reading the log. */
export interface AuditLogDeps {
	readonly metadata: Metadata;
	/** The organizations that a user belongs to. */
	readonly membershipsOf: (userId: number) => Promise<readonly AuditMembership[]>;
}

/** Reader of the log. */
interface AuditReader {
	readonly userId: number;
	readonly isSuperadmin: boolean;
}

interface Page {
	/** Counts from 1. */
	readonly page: number;
	readonly pageSize: number;
}

/**
 * The entries that a reader may see: superadmins all, owners and admins those of their organization, everyone their own.
 * Throws `forbidden` when the reader's organization has a plan without the log.
 */
export async function listEntries(
	deps: AuditLogDeps,
	reader: AuditReader,
	filter: AuditFilter,
	{ page, pageSize }: Page,
): Promise<{ readonly rows: EntryRow[]; readonly total: number }> {
	const offset = Math.min((page - 1) * pageSize, Number.MAX_SAFE_INTEGER);
	return selectEntries(deps.metadata, await viewOf(deps, reader), filter, { limit: pageSize, offset });
}

async function viewOf(deps: AuditLogDeps, { userId, isSuperadmin }: AuditReader): Promise<AuditView> {
	if (isSuperadmin) return { userId, organizationIds: null };
	const memberships = await deps.membershipsOf(userId);
	const open = memberships.filter(({ hasFeature }) => hasFeature);
	if (memberships.length > 0 && open.length === 0) {
		throw new ServiceError("forbidden", { message: "The organization's plan does not include the audit log" });
	}
	return { userId, organizationIds: open.filter(({ role }) => role !== "member").map(({ id }) => id) };
}

/** The organization that a reader asks about; throws `not_found` for one that does not exist, or is not the reader's. */
export async function organizationAsked(metadata: Metadata, slug: string, userId: number): Promise<string> {
	const organization = await findOrganizationFor(metadata, slug, userId);
	if (organization === undefined) throw new ServiceError("not_found", { message: "Organization not found" });
	return organization.id;
}

/** Refuses a site that the reader may not ask about; throws `account_not_found` and `forbidden`. */
export async function checkSiteFilter(metadata: Metadata, siteId: string, userId: number): Promise<void> {
	const site = await findSiteFor(metadata, siteId, userId);
	if (site === undefined) throw new ServiceError("account_not_found");
	if (site.role === undefined) throw new ServiceError("forbidden", { message: `Access denied to account: ${siteId}` });
}
