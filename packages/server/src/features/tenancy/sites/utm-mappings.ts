import { type Static, Type } from "typebox";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { success } from "../../../platform/http/envelope.ts";
import { presentRow } from "../../../platform/http/present-row.ts";
import { Id, OneOf, Success, Text, Timestamp } from "../../../platform/http/schemas.ts";
import { addedFields, changedFields, removedFields } from "../../auditing/audit-log/index.ts";
import { changeBy, changeOfSite, type SiteChange } from "./change-sites.ts";
import type { SiteChangeDeps } from "./deps.ts";
import { readingSite, writingSite } from "./schemas.ts";
import { type MappingRow, mappings } from "./store.ts";

const UtmField = OneOf(["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"]);
const Mapping = Type.Object({
	id: Type.Integer(),
	custom_param: Type.String(),
	maps_to: UtmField,
	is_active: Type.Boolean(),
	created_at: Timestamp(),
});
const NewMapping = Type.Object({ custom_param: Text(1, 100), maps_to: UtmField });
const Changes = Type.Object({ maps_to: Type.Optional(UtmField), is_active: Type.Optional(Type.Boolean()) });
const Removed = Type.Object({ removed: Type.Literal(true), custom_param: Type.String() });

const writing = writingSite("editor");

export function registerMappings(app: App, deps: SiteChangeDeps): void {
	addRoute(app, "GET /sites/:id/utm-mappings", {
		...readingSite,
		summary: "UTM mappings",
		list: ["mappings", Mapping],
		handler: async (request) => {
			const rows = await mappings.list(deps.metadata, { site_id: request.site.id }, "id");
			return rows.map((row) => presentRow(Mapping, row));
		},
	});
	addRoute(app, "POST /sites/:id/utm-mappings", {
		...writing,
		summary: "Map a custom parameter to a campaign field",
		body: NewMapping,
		status: 201,
		data: Mapping,
		errors: ["duplicate_entry"],
		handler: async (request) => presentRow(Mapping, await addMapping(deps, changeBy(request), request.body)),
	});
	const changed = async (by: SiteChange, id: number, body: Static<typeof Changes>) =>
		success(presentRow(Mapping, await changeMapping(deps, by, id, body)));
	addRoute(app, "PATCH /sites/:id/utm-mappings/:mapping_id", {
		...writing,
		summary: "Change a UTM mapping",
		params: Type.Object({ id: Type.String(), mapping_id: Id() }),
		body: Changes,
		answer: Success(Mapping),
		handler: (request) => changed(changeBy(request), request.params.mapping_id, request.body),
	});
	addRoute(app, "PATCH /sites/:id/utm-mappings", {
		...writing,
		summary: "Change the UTM mapping given in the query",
		querystring: Type.Object({ mapping_id: Id() }),
		body: Changes,
		answer: Success(Mapping),
		handler: (request) => changed(changeBy(request), request.query.mapping_id, request.body),
	});
	const removed = async (by: SiteChange, customParam: string) => {
		await removeMapping(deps, by, customParam);
		return success({ removed: true as const, custom_param: customParam });
	};
	addRoute(app, "DELETE /sites/:id/utm-mappings/:custom_param", {
		...writing,
		summary: "Remove a UTM mapping",
		params: Type.Object({ id: Type.String(), custom_param: Text(1, 100) }),
		answer: Success(Removed),
		handler: (request) => removed(changeBy(request), request.params.custom_param),
	});
	addRoute(app, "DELETE /sites/:id/utm-mappings", {
		...writing,
		summary: "Remove the UTM mapping given in the query",
		querystring: Type.Object({ custom_param: Text(1, 100) }),
		answer: Success(Removed),
		handler: (request) => removed(changeBy(request), request.query.custom_param),
	});
}

const audited = ({ custom_param, maps_to, is_active }: MappingRow) => ({
	custom_param,
	maps_to,
	is_active: is_active === 1,
});

/** A hit looks at each of them. */
const MOST = 100;

const notFound = () => new ServiceError("not_found", "UTM mapping not found");

/** Throws `duplicate_entry` when the parameter has a target already, and `conflict` when the site has 100 mappings. */
function addMapping(deps: SiteChangeDeps, by: SiteChange, { custom_param, maps_to }: Static<typeof NewMapping>) {
	return changeOfSite(deps, by, async (trx, created_at) => {
		const added = { site_id: by.siteId, custom_param, maps_to, is_active: 1, created_at };
		const answer = await mappings.insertUnlessTaken(trx, added);
		if (answer === undefined) throw new ServiceError("duplicate_entry", "The parameter is already mapped");
		if ((await mappings.count(trx, { site_id: by.siteId })) > MOST) {
			throw new ServiceError("conflict", `A site has at most ${MOST} UTM mappings. Remove one first`);
		}
		const details = addedFields(audited(answer));
		return { answer, entry: { action: "utm_mapping.created", resourceId: answer.id, details } };
	});
}

function changeMapping(
	deps: SiteChangeDeps,
	by: SiteChange,
	id: number,
	{ maps_to, is_active }: Static<typeof Changes>,
) {
	return changeOfSite(deps, by, async (trx) => {
		const where = { site_id: by.siteId, id };
		const before = await mappings.find(trx, where);
		const active = is_active === undefined ? undefined : Number(is_active);
		const answer = await mappings.update(trx, where, { maps_to, is_active: active });
		if (before === undefined || answer === undefined) throw notFound();
		const details = changedFields(audited(before), audited(answer));
		return { answer, entry: { action: "utm_mapping.updated", resourceId: id, details } };
	});
}

function removeMapping(deps: SiteChangeDeps, by: SiteChange, customParam: string) {
	return changeOfSite(deps, by, async (trx) => {
		const row = await mappings.delete(trx, { site_id: by.siteId, custom_param: customParam });
		if (row === undefined) throw notFound();
		const details = removedFields(audited(row));
		return { answer: undefined, entry: { action: "utm_mapping.deleted", resourceId: row.id, details } };
	});
}
