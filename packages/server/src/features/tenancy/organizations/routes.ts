import { Type } from "typebox";
import { type Caller, type Guard, reachableSitesOf } from "../../../access/index.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { errorAnswers } from "../../../platform/http/error-answers.ts";
import { Message, Name } from "../../../platform/http/schemas.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { actorOf, type ChangeDeps } from "../../auditing/audit-log/index.ts";
import { getUser } from "../../people/users/index.ts";
import { type CreateOrganizationDeps, createOrganization, creationObstacle } from "./create-organization.ts";
import { type DeleteOrganizationDeps, deleteOrganization } from "./delete-organization.ts";
import { describeOrganization, describeOrganizations } from "./describe-organizations.ts";
import {
	holdOrganization,
	type Requester,
	readingOrganization,
	recordOrganization,
	writingOrganization,
} from "./hold-organization.ts";
import { Organization, OrganizationParams } from "./schemas.ts";
import {
	findOrganization,
	listOrganizations,
	membershipsOf,
	type OrganizationRow,
	updateOrganization,
} from "./store.ts";

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
			const { organizations, canCreate } = await organizationsSeenBy(metadata, request.caller);
			return { organizations, total: organizations.length, can_create_org: canCreate };
		},
	});
	addRoute(app, "GET /organizations/:slug", {
		tags,
		summary: "One organization",
		params: OrganizationParams,
		guard: readingOrganization,
		data: Organization,
		handler: async (request) => {
			const row = await findOrganization(metadata, request.organization.id);
			if (row === undefined) throw new ServiceError("not_found", { message: "Organization not found" });
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
		errors: errorAnswers("conflict"),
		handler: async (request) => {
			const row = await createOrganization(deps, request, request.body.name);
			return await describeOrganization(deps.metadata, row, request.caller.userId);
		},
	});
	addRoute(app, "PATCH /organizations/:slug", {
		tags,
		summary: "Rename an organization; its slug stays",
		params: OrganizationParams,
		body: Type.Object({ name: Type.Optional(Name()) }),
		guard: writingOrganization("owner"),
		data: Organization,
		handler: async (request) => {
			const input = { organizationId: request.organization.id, name: request.body.name };
			const row = await renameOrganization(deps, request, input);
			return await describeOrganization(deps.metadata, row, request.caller.userId);
		},
	});
	addRoute(app, "DELETE /organizations/:slug", {
		tags,
		summary: "Delete an organization: its sites and keys become inactive",
		params: OrganizationParams,
		body: Type.Object({
			name: Type.String({ maxLength: 255, description: "The exact name, as confirmation" }),
		}),
		guard: writingOrganization("owner"),
		data: Message,
		handler: async (request) => {
			const input = { organizationId: request.organization.id, name: request.body.name };
			await deleteOrganization(deps, request, input);
			return { message: "Organization deleted" };
		},
	});
}

/** Gives an organization another name; the slug stays. Throws `forbidden` for others than owners. */
async function renameOrganization(
	deps: ChangeDeps,
	by: Requester,
	input: { readonly organizationId: string; readonly name: string | undefined },
): Promise<OrganizationRow> {
	const nowMs = deps.clock.now();
	return deps.metadata.transaction().execute(async (metadata) => {
		const { organization } = await holdOrganization(metadata, input.organizationId, by.caller, "owner");
		const { name } = input;
		if (name === undefined || name === organization.name) return organization;
		const renamed = await updateOrganization(metadata, organization.id, { name, updated_at: nowMs });
		const details = { name: [organization.name, name] };
		await recordOrganization(
			metadata,
			actorOf(by),
			{ action: "organization.updated", id: organization.id, details },
			nowMs,
		);
		return renamed ?? organization;
	});
}

/** The organizations that a caller sees, and whether the caller may create one. A superadmin sees all, deleted ones too. */
async function organizationsSeenBy(metadata: Metadata, caller: Caller) {
	const user = await getUser(metadata, caller.userId);
	const seen =
		user.role === "superadmin" ? await listOrganizations(metadata) : await membershipsOf(metadata, caller.userId);
	const opened = await openedBy(metadata, caller, seen);
	return {
		organizations: await describeOrganizations(metadata, opened, caller.userId),
		canCreate: (await creationObstacle(metadata, user)) === undefined,
	};
}

/** A key that is restricted to sites opens the organizations of those sites only. */
async function openedBy(
	metadata: Metadata,
	caller: Caller,
	organizations: readonly OrganizationRow[],
): Promise<readonly OrganizationRow[]> {
	if (caller.kind === "session" || caller.siteIds === null) return organizations;
	const reach = await reachableSitesOf(metadata, caller);
	const open = new Set(reach.map(({ organizationId }) => organizationId));
	return organizations.filter(({ id }) => open.has(id));
}
