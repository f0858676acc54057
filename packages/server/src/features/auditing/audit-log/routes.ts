import { type Static, Type } from "typebox";
import { findOrganizationFor, findSiteFor, reachableSites } from "../../../access/index.ts";
import { orThrow, ServiceError } from "../../../platform/errors/service-error.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { presentRow } from "../../../platform/http/present-row.ts";
import { Id, Nullable, paging, Timestamp, withoutNul } from "../../../platform/http/schemas.ts";
import { DAY_MS } from "../../../platform/lib/durations.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { auditActions } from "./actions.ts";
import { type AuditFilter, type AuditView, type EntryRow, selectEntries } from "./store.ts";

const word = (description: string) => Type.String({ description, maxLength: 100, pattern: withoutNul });
const moment = (description: string) =>
	Type.Union([Type.String({ format: "date-time" }), Type.String({ format: "date" })], { description });

const ListQuery = Type.Object({
	action: Type.Optional(word("Such as `site.updated`; `GET /audit/actions` lists all")),
	resource_type: Type.Optional(word("Such as `site`")),
	user_id: Type.Optional(Id({ description: "Author, or the superadmin who acted as the author" })),
	account_id: Type.Optional(Type.String({ description: "Site" })),
	organization: Type.Optional(
		Type.String({ description: "Organization slug; entries of the organization and its sites" }),
	),
	from_date: Type.Optional(moment("Timestamp, or a day (inclusive)")),
	to_date: Type.Optional(moment("Timestamp, or a day (inclusive); days are in UTC")),
	...paging({ pageSize: 50, max: 100 }),
});

const Entry = Type.Object({
	id: Type.Integer(),
	user_id: Nullable(Type.Integer(), { description: "Null: the operator's command line, or the service itself" }),
	user_email: Type.String({ description: "`system` where `user_id` is null" }),
	user_name: Nullable(Type.String()),
	action: Type.String({ description: "`resource.verb`" }),
	resource_type: Type.String(),
	resource_id: Nullable(Type.String()),
	account_id: Nullable(Type.String({ description: "Site" })),
	details: Type.Record(Type.String(), Type.Unknown(), {
		description:
			"Changed fields as `[old, new]`, or facts; `impersonated_by` is the id of the superadmin who acted as this user",
	}),
	ip_address: Nullable(Type.String()),
	created_at: Timestamp(),
});

const Entries = Type.Object({
	logs: Type.Array(Entry),
	total: Type.Integer(),
	page: Type.Integer(),
	page_size: Type.Integer(),
	total_pages: Type.Integer(),
});

const Actions = Type.Object({
	actions: Type.Array(
		Type.Object({
			action: Type.String({ description: "`resource.verb`" }),
			resource_type: Type.String(),
		}),
		{ description: "Sorted by name; includes actions without an entry yet" },
	),
});

const isDay = (text: string): boolean => text.length === 10;

/** The filters of a request; throws `bad_request` when the time ends before it begins. */
function parseFilter(query: Static<typeof ListQuery>): Omit<AuditFilter, "shutSiteIds"> {
	const { from_date: from, to_date: to } = query;
	const fromMs = from === undefined ? undefined : Date.parse(from);
	const toMs = to === undefined ? undefined : Date.parse(to) + (isDay(to) ? DAY_MS - 1 : 0);
	if (fromMs !== undefined && toMs !== undefined && fromMs > toMs) {
		throw new ServiceError("bad_request", "from_date must not be after to_date");
	}
	const { action, resource_type: resourceType, user_id: userId, account_id: siteId } = query;
	return { action, resourceType, userId, siteId, fromMs, toMs };
}

const tags = ["Audit log"];

export function registerAuditLog(app: App, deps: AuditLogDeps): void {
	addRoute(app, "GET /audit/logs", {
		tags,
		summary: "Audit log, newest first",
		querystring: ListQuery,
		guard: { kind: "session", scope: "read" },
		data: Entries,
		errors: ["bad_request", "account_not_found", "not_found"],
		handler: async (request) => {
			const { caller, query } = request;
			if (query.account_id !== undefined) {
				await checkSiteFilter(deps.metadata, query.account_id, caller.userId);
				await request.refuseShutSite(query.account_id);
			}
			const reach = await reachableSites(deps.metadata, caller.userId);
			const shutSiteIds = reach.map(({ id }) => id).filter((id) => !request.isSiteOpenHere(id));
			const filter = parseFilter(query);
			const organizationId = await organizationAsked(deps.metadata, query.organization, caller.userId);
			const view = await viewOf(deps, caller.userId, request.visit.isSuperadmin);
			const { page, page_size: limit } = query;
			const offset = Math.min((page - 1) * limit, Number.MAX_SAFE_INTEGER);
			const { rows, total } = await selectEntries(
				deps.metadata,
				view,
				{ ...filter, shutSiteIds, organizationId },
				{ limit, offset },
			);
			return {
				logs: rows.map(presentEntry),
				total,
				page,
				page_size: limit,
				total_pages: Math.ceil(total / limit),
			};
		},
	});
	addRoute(app, "GET /audit/actions", {
		tags,
		summary: "All actions of the audit log",
		guard: { kind: "session", scope: "read" },
		data: Actions,
		handler: async () => ({ actions: [...auditActions] }),
	});
}

function presentEntry({ impersonator_id, ...row }: EntryRow) {
	const details = JSON.parse(row.details) as Record<string, unknown>;
	return {
		...presentRow(Entry, row),
		user_email: row.user_email ?? "system",
		details: { ...details, ...(impersonator_id !== null && { impersonated_by: impersonator_id }) },
	};
}

interface AuditMembership {
	readonly id: string;
	readonly role: "owner" | "admin" | "member";
	/** Whether the plan has the audit log. */
	readonly hasFeature: boolean;
}

interface AuditLogDeps {
	readonly metadata: Metadata;
	/** The organizations that a user belongs to. */
	readonly membershipsOf: (userId: number) => Promise<readonly AuditMembership[]>;
}

/**
 * The entries that a reader may see: superadmins all, owners and admins those of their organization, everyone their own.
 * Throws `forbidden` when the reader's organization has a plan without the log.
 */
async function viewOf(deps: AuditLogDeps, userId: number, isSuperadmin: boolean): Promise<AuditView> {
	if (isSuperadmin) return { userId, organizationIds: null };
	const memberships = await deps.membershipsOf(userId);
	const open = memberships.filter(({ hasFeature }) => hasFeature);
	if (memberships.length > 0 && open.length === 0) {
		throw new ServiceError("forbidden", "The organization's plan does not include the audit log");
	}
	return { userId, organizationIds: open.filter(({ role }) => role !== "member").map(({ id }) => id) };
}

/** The organization that a reader asks about; throws `not_found` for one that does not exist, or is not the reader's. */
async function organizationAsked(metadata: Metadata, slug: string | undefined, userId: number) {
	if (slug === undefined) return undefined;
	const organization = await findOrganizationFor(metadata, slug, userId);
	if (organization === undefined) throw new ServiceError("not_found", "Organization not found");
	return organization.id;
}

/** Refuses a site that the reader may not ask about; throws `account_not_found` and `forbidden`. */
async function checkSiteFilter(metadata: Metadata, siteId: string, userId: number): Promise<void> {
	const site = orThrow(await findSiteFor(metadata, siteId, userId), "account_not_found");
	if (site.role === undefined) throw new ServiceError("forbidden", `Access denied to account: ${siteId}`);
}
