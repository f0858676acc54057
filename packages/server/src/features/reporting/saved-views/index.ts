/** Saved views: the questions that people keep and share with their colleagues. */

import { type Static, Type } from "typebox";
import {
	AccountQuery,
	account,
	type Caller,
	readingAccount,
	roleReaches,
	type SiteRole,
	writingAccount,
} from "../../../access/index.ts";
import { fieldError, ServiceError } from "../../../platform/errors/service-error.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { presentRow } from "../../../platform/http/present-row.ts";
import { ErrorRef, Id, Nullable, OneOf, Text, Timestamp } from "../../../platform/http/schemas.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { addedFields, type ChangeDeps, changedFields, removedFields } from "../../auditing/audit-log/index.ts";
import { changeInTurn, siteChangeOf } from "../../tenancy/organizations/index.ts";
import { findView, listViews, savedViews, type ViewRow } from "./store.ts";

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

const presentView = (row: ViewRow) => ({
	...presentRow(SavedView, row),
	definition: JSON.parse(row.definition) as Record<string, unknown>,
});

const MAX_BYTES = 16 * 1024;
/** Queries are at most lists of lists of conditions; readers of a definition rely on it. */
const MAX_DEPTH = 8;
/** Views that a user may keep at a site. */
const MAX_VIEWS = 100;

/** The text under which a definition is stored; 422 on `body.definition` for one that is too long or too deep. */
function encodeDefinition(definition: object): string {
	if (isDeeper(definition, MAX_DEPTH)) {
		throw fieldError("body.definition", `Must not be nested more than ${MAX_DEPTH} levels deep`, "too_deep");
	}
	const text = JSON.stringify(definition);
	if (Buffer.byteLength(text) > MAX_BYTES) {
		throw fieldError("body.definition", "Must not exceed 16 KB in all", "too_large");
	}
	return text;
}

const isDeeper = (value: unknown, levels: number): boolean =>
	typeof value === "object" &&
	value !== null &&
	(levels === 0 || Object.values(value).some((part) => isDeeper(part, levels - 1)));

/** The columns of the parts given. 422 for a definition that cannot be stored. */
const toColumns = ({ name, definition, is_shared }: Static<typeof ChangeViewBody>) => ({
	...(name !== undefined && { name }),
	...(definition !== undefined && { definition: encodeDefinition(definition) }),
	...(is_shared !== undefined && { is_shared: Number(is_shared) }),
});

// The definition stays out of the log: it may be long, and private.
const audited = ({ kind, name, is_shared }: Pick<ViewRow, "kind" | "name" | "is_shared">) => ({
	kind,
	name,
	is_shared: is_shared === 1,
});

interface OfSite {
	readonly site: { readonly id: string; readonly organizationId: string; readonly role: SiteRole };
	readonly caller: Caller;
	readonly ip: string;
}
const viewerOf = ({ site, caller }: OfSite) => ({ siteId: site.id, userId: caller.userId });

const notFound = () => new ServiceError("not_found", "View not found");
const nameTaken = () => new ServiceError("duplicate_entry", "You have a view of this kind and name");

async function getView(metadata: Metadata, request: OfSite, id: number): Promise<ViewRow> {
	const row = await findView(metadata, viewerOf(request), id);
	if (row === undefined) throw notFound();
	return row;
}

/** Shared views can be changed by their owner and by admins. */
async function getChangeable(metadata: Metadata, request: OfSite, id: number): Promise<ViewRow> {
	const row = await getView(metadata, request, id);
	if (row.created_by === request.caller.userId || roleReaches(request.site.role, "admin")) return row;
	throw new ServiceError("forbidden", "Only its creator or an admin can change a view");
}

function refuseSharing({ site }: OfSite): void {
	if (roleReaches(site.role, "editor")) return;
	throw new ServiceError("forbidden", "Sharing a view requires the role editor");
}

const tags = ["Saved views"];
const params = Type.Object({ id: Id() });
const reading = { tags, guard: readingAccount("viewer") };
// Readers may save views; the handlers check that sharing needs more.
const keeping = { tags, guard: writingAccount("viewer"), querystring: AccountQuery };
const taken = { description: "`duplicate_entry`: you have a view of this kind and name", ...ErrorRef };
const refused = { description: "`duplicate_entry`, or `conflict`: you have 100 views of the site", ...ErrorRef };

/** Routes on the questions that people keep. */
export function registerSavedViews(app: App, deps: ChangeDeps): void {
	const { metadata } = deps;
	addRoute(app, "GET /saved-views", {
		...reading,
		summary: "Your saved views of a site, and shared ones, by name",
		querystring: Type.Object({ ...account, kind: Type.Optional(kind()) }),
		data: Type.Array(SavedView),
		handler: async (request) => (await listViews(metadata, viewerOf(request), request.query.kind)).map(presentView),
	});
	addRoute(app, "GET /saved-views/:id", {
		...reading,
		summary: "One saved view",
		params,
		querystring: AccountQuery,
		data: SavedView,
		handler: async (request) => presentView(await getView(metadata, request, request.params.id)),
	});
	addRoute(app, "POST /saved-views", {
		...keeping,
		summary: "Save a view",
		body: CreateViewBody,
		status: 201,
		data: SavedView,
		errors: { 409: refused },
		handler: async (request) => {
			const { kind, name, definition, is_shared } = request.body;
			const row = { kind, name, is_shared: is_shared ? 1 : 0, definition: encodeDefinition(definition) };
			if (is_shared) refuseSharing(request);
			const of = { site_id: request.site.id, created_by: request.caller.userId };
			const view = await changeInTurn(deps, siteChangeOf(request), async (trx, nowMs) => {
				const count = await savedViews.count(trx, of);
				const made = { ...row, ...of, created_at: nowMs, updated_at: nowMs };
				const id = (await savedViews.insertUnlessTaken(trx, made))?.id;
				if (id === undefined) throw nameTaken();
				if (count >= MAX_VIEWS) {
					throw new ServiceError("conflict", `A user can save at most ${MAX_VIEWS} views of a site`);
				}
				const entry = { action: "saved_view.created", resourceId: id, details: addedFields(audited(row)) } as const;
				return { answer: await getView(trx, request, id), entry };
			});
			return presentView(view);
		},
	});
	addRoute(app, "PATCH /saved-views/:id", {
		...keeping,
		summary: "Change a view of yours; admins may change all shared views",
		params,
		body: ChangeViewBody,
		data: SavedView,
		errors: { 409: taken },
		handler: async (request) => {
			const { id } = request.params;
			const changes = toColumns(request.body);
			const view = await changeInTurn(deps, siteChangeOf(request), async (trx, nowMs) => {
				const before = await getChangeable(trx, request, id);
				const after = { ...before, ...changes, updated_at: nowMs };
				if (after.is_shared > before.is_shared) refuseSharing(request);
				const { site_id, created_by, kind } = before;
				const alike = { site_id, created_by, kind, name: after.name, id: { "!=": id } };
				if (changes.name !== undefined && (await savedViews.count(trx, alike)) > 0) throw nameTaken();
				await savedViews.update(trx, { id }, { ...changes, updated_at: nowMs });
				const details = changedFields(audited(before), audited(after));
				return { answer: after, entry: { action: "saved_view.updated", resourceId: id, details } };
			});
			return presentView(view);
		},
	});
	addRoute(app, "DELETE /saved-views/:id", {
		...keeping,
		summary: "Remove a view of yours; admins may remove all shared views",
		params,
		empty: "Removed",
		handler: async (request) => {
			const { id } = request.params;
			await changeInTurn(deps, siteChangeOf(request), async (trx) => {
				const row = await getChangeable(trx, request, id);
				if ((await savedViews.delete(trx, { id })) === undefined) throw notFound();
				const details = removedFields(audited(row));
				return { answer: undefined, entry: { action: "saved_view.deleted", resourceId: id, details } };
			});
		},
	});
}
