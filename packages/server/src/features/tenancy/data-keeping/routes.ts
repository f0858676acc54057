import { Type } from "typebox";
import { fieldError, orThrow } from "../../../platform/errors/service-error.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { presentRow } from "../../../platform/http/present-row.ts";
import { Id, Nullable, OneOf, Timestamp } from "../../../platform/http/schemas.ts";
import { actorOf } from "../../auditing/audit-log/index.ts";
import { readingSiteAs, writingSite } from "../sites/index.ts";
import type { AskingDeps } from "./deps.ts";
import { askDeletion } from "./run-deletion.ts";
import { type DeletionRow, deletions } from "./store.ts";

const day = (description: string) => Type.Optional(Nullable(Type.String({ format: "date", description })));

const DeleteDataBody = Type.Object({
	from: day("First day in the site's time zone; all days from the beginning when omitted"),
	to: day("Last day, inclusive; all days until now when omitted"),
	confirm: Type.String({
		description: "The site's id, as confirmation: deleted data cannot be restored",
		maxLength: 64,
	}),
});

const Deletion = Type.Object({
	id: Type.Integer(),
	account_id: Type.String(),
	reason: OneOf(["request", "purge"]),
	from: Nullable(Type.String({ format: "date" })),
	to: Nullable(Type.String({ format: "date" })),
	status: OneOf(["pending", "running", "completed", "failed"], {
		description: "`completed`: removed from all reports, files and caches",
	}),
	step: OneOf(["collectors", "rows", "exports", "files"], { description: "The running step of the deletion" }),
	progress_percent: Type.Integer(),
	deleted_rows: Nullable(Type.Integer()),
	error_message: Nullable(Type.String()),
	created_by: Nullable(Type.Integer()),
	created_at: Timestamp(),
	completed_at: Nullable(Timestamp()),
});

const reading = readingSiteAs("admin");

export function registerRoutes(app: App, deps: AskingDeps): void {
	addRoute(app, "DELETE /sites/:id/data", {
		...writingSite("owner"),
		summary: "Delete data of some days or all days",
		body: DeleteDataBody,
		data: Deletion,
		errors: ["conflict"],
		handler: async (request) => {
			const { from = null, to = null, confirm } = request.body;
			const siteId = request.site.id;
			if (confirm !== siteId) throw fieldError("body.confirm", "must be the id of the site", "confirm");
			return presentDeletion(await askDeletion(deps, { siteId, from, to, actor: actorOf(request) }));
		},
	});
	addRoute(app, "GET /sites/:id/data-deletions", {
		...reading,
		summary: "Data deletions of a site, newest first",
		list: ["deletions", Deletion],
		handler: async (request) =>
			(await deletions.list(deps.metadata, { site_id: request.site.id }, "id desc")).map(presentDeletion),
	});
	addRoute(app, "GET /sites/:id/data-deletions/:deletion_id", {
		...reading,
		summary: "One deletion with its progress",
		params: Type.Object({ ...reading.params.properties, deletion_id: Id() }),
		data: Deletion,
		errors: ["not_found"],
		handler: async (request) => {
			const where = { site_id: request.site.id, id: request.params.deletion_id };
			return presentDeletion(orThrow(await deletions.find(deps.metadata, where), "not_found", "Deletion not found"));
		},
	});
}

const presentDeletion = (row: DeletionRow) => ({
	...presentRow(Deletion, row),
	account_id: row.site_id,
	from: row.date_from,
	to: row.date_to,
});
