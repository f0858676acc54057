import { Type } from "typebox";
import { type Caller, type Guard, reachableSitesOf } from "../../../access/index.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { Name } from "../../../platform/http/schemas.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { ChangeDeps } from "../../auditing/audit-log/index.ts";
import { getUser } from "../../people/users/index.ts";
import { type CreateOrganizationDeps, createOrganization, creationObstacle } from "./create-organization.ts";
import { type DeleteOrganizationDeps, deleteOrganization } from "./delete-organization.ts";
import { describeOrganization, describeOrganizations, Organization } from "./describe-organizations.ts";
import { changeOrganization, type Requester, readingOrganization, writingOrganization } from "./hold-organization.ts";
import { findOrganization, membershipsOf, type OrganizationRow, organizations } from "./store.ts";

type OrganizationDeps = CreateOrganizationDeps & DeleteOrganizationDeps;

const tags = ["Organizations"];
const listing: Guard = { kind: "principal", scope: "accounts:read" };

/** Routes on organizations themselves. */
export function registerOrganizations(app: App, deps: OrganizationDeps): void {
	const { metadata } = deps;
	addRoute(app, "GET /organizations", {
		tags,
		summary: "The caller's organizations",
		guard: listing,
		data: Type.Object({
			organizations: Type.Array(Organization),
			total: Type.Integer(),
			can_create_org: Type.Boolean(),
		}),
		handler: async (request) => {
			const { seen, canCreate } = await organizationsSeenBy(metadata, request.caller);
			return { organizations: seen, total: seen.length, can_create_org: canCreate };
		},
	});
	addRoute(app, "GET /organizations/:slug", {
		...readingOrganization,
		summary: "One organization",
		data: Organization,
		handler: async (request) => {
			const row = await findOrganization(metadata, request.organization.id);
			if (row === undefined) throw new ServiceError("not_found", "Organization not found");
			return await describeOrganization(metadata, row, request.caller.userId);
		},
	});
	addRoute(app, "POST /organizations", {
		tags,
		summary: "Create an organization; a personal organization is converted",
		body: Type.Object({ name: Name() }),
		guard: { kind: "session", scope: "write" },
		status: 201,
		data: Organization,
		errors: ["conflict"],
		handler: async (request) => {
			const row = await createOrganization(deps, request, request.body.name);
			return await describeOrganization(deps.metadata, row, request.caller.userId);
		},
	});
	addRoute(app, "PATCH /organizations/:slug", {
		...writingOrganization("owner"),
		summary: "Rename an organization; its slug stays",
		body: Type.Object({ name: Type.Optional(Name()) }),
		data: Organization,
		handler: async (request) => {
			const row = await renameOrganization(deps, request, request.organization.id, request.body.name);
			return await describeOrganization(deps.metadata, row, request.caller.userId);
		},
	});
	addRoute(app, "DELETE /organizations/:slug", {
		...writingOrganization("owner"),
		summary: "Delete an organization: its sites and keys become inactive",
		body: Type.Object({ name: Type.String({ maxLength: 255, description: "The exact name, as confirmation" }) }),
		message: "Organization deleted",
		handler: (request) =>
			deleteOrganization(deps, request, { organizationId: request.organization.id, name: request.body.name }),
	});
}

/** Gives an organization another name; the slug stays. Throws `forbidden` for others than owners. */
const renameOrganization = (
	deps: ChangeDeps,
	by: Requester,
	organizationId: string,
	name: string | undefined,
): Promise<OrganizationRow> =>
	changeOrganization(deps, by, { organizationId, least: "owner" }, async (trx, { organization }, updated_at) => {
		if (name === undefined || name === organization.name) return { answer: organization };
		const renamed = await organizations.update(trx, { id: organizationId }, { name, updated_at });
		const details = { name: [organization.name, name] };
		const entry = { action: "organization.updated", resourceId: organizationId, details } as const;
		return { answer: renamed ?? organization, entry };
	});

/** The organizations that a caller sees, and whether the caller may create one. A superadmin sees all, deleted ones too. */
async function organizationsSeenBy(metadata: Metadata, caller: Caller) {
	const user = await getUser(metadata, caller.userId);
	const seen =
		user.role === "superadmin"
			? await organizations.list(metadata, {}, "name", "id")
			: await membershipsOf(metadata, caller.userId);
	const opened = await openedBy(metadata, caller, seen);
	return {
		seen: await describeOrganizations(metadata, opened, caller.userId),
		canCreate: (await creationObstacle(metadata, user)) === undefined,
	};
}

/** A key that is restricted to sites opens the organizations of those sites only. */
async function openedBy(
	metadata: Metadata,
	caller: Caller,
	seen: readonly OrganizationRow[],
): Promise<readonly OrganizationRow[]> {
	if (caller.kind === "session" || caller.siteIds === null) return seen;
	const reach = await reachableSitesOf(metadata, caller);
	const open = new Set(reach.map(({ organizationId }) => organizationId));
	return seen.filter(({ id }) => open.has(id));
}
