import { Type } from "typebox";
import {
	AccountQuery,
	account,
	type Caller,
	readingAccount,
	type SiteRole,
	writingAccount,
} from "../../../access/index.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { ErrorRef, Id, Nullable, OneOf, Text, Timestamp } from "../../../platform/http/schemas.ts";
import { timestamp } from "../../../platform/lib/timestamp.ts";
import { actorOf } from "../../auditing/audit-log/index.ts";
import { type Change, changeView, getView, removeView, saveView, type ViewDeps } from "./change-views.ts";
import { listViews, type ViewRow } from "./store.ts";

/** A saved view on the wire. */
const presentView = (row: ViewRow) => ({
	id: row.id,
	account_id: row.site_id,
	kind: row.kind,
	name: row.name,
	definition: JSON.parse(row.definition) as Record<string, unknown>,
	is_shared: row.is_shared === 1,
	created_by: row.created_by,
	created_by_name: row.maker,
	created_at: timestamp(row.created_at),
	updated_at: timestamp(row.updated_at),
});

/** Screens with views. */
const kinds = ["funnel", "query", "report"] as const;

const kind = () => OneOf(kinds, { description: "Screen of the view: a funnel, a query, or a report" });
const name = () => Text(1, 100);
const definition = () =>
	Type.Record(Type.String({ maxLength: 100 }), Type.Unknown(), {
		description: "The saved query, in a format defined by its screen; at most 16 KB",
		examples: [{ view: ["page:/", "event:purchase"], period: "7d" }],
	});
const isShared = (options: object = {}) =>
	Type.Boolean({ description: "Visible to all users of the site. Sharing needs the editor role", ...options });

const ViewParams = Type.Object({ id: Id() });
const ListQuery = Type.Object({ ...account, kind: Type.Optional(kind()) });

const CreateViewBody = Type.Object({
	kind: kind(),
	name: name(),
	definition: definition(),
	is_shared: isShared({ default: false }),
});
const ChangeViewBody = Type.Object({
	name: Type.Optional(name()),
	definition: Type.Optional(definition()),
	is_shared: Type.Optional(isShared()),
});

const SavedView = Type.Object({
	id: Type.Integer(),
	account_id: Type.String(),
	kind: kind(),
	name: Type.String(),
	definition: definition(),
	is_shared: Type.Boolean(),
	created_by: Nullable(Type.Integer()),
	created_by_name: Nullable(Type.String()),
	created_at: Timestamp(),
	updated_at: Timestamp(),
});

const tags = ["Saved views"];
const reading = readingAccount("viewer");
// Readers may save views; the functions check that sharing needs more.
const keeping = writingAccount("viewer");
const taken = { description: "`duplicate_entry`: you have a view of this kind and name", ...ErrorRef };
const refused = { description: "`duplicate_entry`, or `conflict`: you have 100 views of the site", ...ErrorRef };

interface OfSite {
	readonly site: { readonly id: string; readonly role: SiteRole };
	readonly caller: Caller;
	readonly ip: string;
}
const viewerOf = ({ site, caller }: OfSite) => ({ siteId: site.id, userId: caller.userId });
const changeOf = (request: OfSite): Change => ({
	...viewerOf(request),
	role: request.site.role,
	actor: actorOf(request),
});

/** Routes on the questions that people keep. */
export function registerSavedViews(app: App, deps: ViewDeps): void {
	registerReads(app, deps);
	registerWrites(app, deps);
	registerRemoval(app, deps);
}

function registerReads(app: App, { metadata }: ViewDeps): void {
	addRoute(app, "GET /saved-views", {
		tags,
		summary: "Your saved views of a site, and shared ones, by name",
		querystring: ListQuery,
		guard: reading,
		data: Type.Array(SavedView),
		handler: async (request) => (await listViews(metadata, viewerOf(request), request.query.kind)).map(presentView),
	});
	addRoute(app, "GET /saved-views/:id", {
		tags,
		summary: "One saved view",
		params: ViewParams,
		querystring: AccountQuery,
		guard: reading,
		data: SavedView,
		handler: async (request) => presentView(await getView(metadata, viewerOf(request), request.params.id)),
	});
}

function registerWrites(app: App, deps: ViewDeps): void {
	addRoute(app, "POST /saved-views", {
		tags,
		summary: "Save a view",
		querystring: AccountQuery,
		body: CreateViewBody,
		guard: keeping,
		status: 201,
		data: SavedView,
		errors: { 409: refused },
		handler: async (request) => {
			const { kind, name, definition, is_shared: isShared } = request.body;
			const row = await saveView(deps, changeOf(request), { kind, name, definition, isShared });
			return presentView(row);
		},
	});
	addRoute(app, "PATCH /saved-views/:id", {
		tags,
		summary: "Change a view of yours; admins may change all shared views",
		params: ViewParams,
		querystring: AccountQuery,
		body: ChangeViewBody,
		guard: keeping,
		data: SavedView,
		errors: { 409: taken },
		handler: async (request) => {
			const { name, definition, is_shared: isShared } = request.body;
			const changes = {
				...(name !== undefined && { name }),
				...(definition !== undefined && { definition }),
				...(isShared !== undefined && { isShared }),
			};
			return presentView(await changeView(deps, changeOf(request), request.params.id, changes));
		},
	});
}

function registerRemoval(app: App, deps: ViewDeps): void {
	addRoute(app, "DELETE /saved-views/:id", {
		tags,
		summary: "Remove a view of yours; admins may remove all shared views",
		params: ViewParams,
		querystring: AccountQuery,
		guard: keeping,
		empty: "Removed",
		handler: async (request) => {
			await removeView(deps, changeOf(request), request.params.id);
		},
	});
}
