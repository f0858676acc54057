import type { Static } from "typebox";
import { Type } from "typebox";
import { readingAccount, writingAccount } from "../../../access/index.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { success } from "../../../platform/http/envelope.ts";
import { ErrorRef, Success } from "../../../platform/http/schemas.ts";
import { actorOf } from "../../auditing/audit-log/index.ts";
import {
	type Change,
	changeSegment,
	createSegment,
	duplicateSegment,
	removeSegment,
	type SegmentDeps,
} from "./change-segments.ts";
import { getSegment } from "./find-segment.ts";
import { presentSegment, presentSummary } from "./present.ts";
import {
	AccountQuery,
	ChangeSegmentBody,
	CreateSegmentBody,
	DuplicateQuery,
	ListQuery,
	Segment,
	SegmentParams,
	SegmentSummary,
} from "./schemas.ts";
import { ownSegment } from "./segment.ts";
import { listSegments } from "./store.ts";
import { systemSegments } from "./system-segments.ts";

const tags = ["Segments"];
const reading = readingAccount("viewer");
const writing = writingAccount("editor");
const refused = {
	description: "`duplicate_entry`: the name is taken; `conflict`: the site has 100 segments",
	...ErrorRef,
};

/** Routes on saved segments. */
export function registerSegments(app: App, deps: SegmentDeps): void {
	registerReads(app, deps);
	registerAdditions(app, deps);
	registerChanges(app, deps);
}

function registerReads(app: App, deps: SegmentDeps): void {
	addRoute(app, "GET /segments", {
		tags,
		summary: "Segments of a site, the system ones first",
		querystring: ListQuery,
		guard: reading,
		data: Type.Array(SegmentSummary),
		handler: async (request) => {
			const own = (await listSegments(deps.metadata, request.site.id)).map(ownSegment);
			const system = request.query.include_system ? systemSegments(request.site.id) : [];
			return [...system, ...own].map(presentSummary);
		},
	});
	addRoute(app, "GET /segments/:id", {
		tags,
		summary: "One segment",
		params: SegmentParams,
		querystring: AccountQuery,
		guard: reading,
		data: Segment,
		handler: async (request) => presentSegment(await getSegment(deps, request.site.id, request.params.id)),
	});
}

function registerAdditions(app: App, deps: SegmentDeps): void {
	addRoute(app, "POST /segments", {
		tags,
		summary: "Save a segment",
		querystring: AccountQuery,
		body: CreateSegmentBody,
		guard: writing,
		status: 201,
		data: Segment,
		errors: { 409: refused },
		handler: async (request) => {
			const { name, display_name: displayName, description = null, color = null, filters } = request.body;
			const change = { siteId: request.site.id, actor: actorOf(request) };
			const segment = await createSegment(deps, change, name, { displayName, description, color, filters });
			return presentSegment(segment);
		},
	});
	addRoute(app, "POST /segments/:id/duplicate", {
		tags,
		summary: "Copy a segment under a new name",
		params: SegmentParams,
		querystring: DuplicateQuery,
		guard: writing,
		status: 201,
		data: Segment,
		errors: { 409: refused },
		handler: async (request) => {
			const change = { siteId: request.site.id, actor: actorOf(request) };
			const segment = await duplicateSegment(deps, change, request.params.id, request.query.new_name);
			return presentSegment(segment);
		},
	});
}

function registerChanges(app: App, deps: SegmentDeps): void {
	const changed = async (change: Change, id: string, body: Static<typeof ChangeSegmentBody>) => {
		const { display_name: displayName, ...others } = body;
		const changes = { ...others, ...(displayName !== undefined && { displayName }) };
		return success(presentSegment(await changeSegment(deps, change, id, changes)));
	};
	for (const method of ["PUT", "PATCH"] as const) {
		app.route({
			method,
			url: "/segments/:id",
			schema: {
				tags,
				summary: "Change a segment",
				params: SegmentParams,
				querystring: AccountQuery,
				body: ChangeSegmentBody,
				response: { 200: Success(Segment) },
			},
			config: { guard: writing },
			handler: (request) =>
				changed({ siteId: request.site.id, actor: actorOf(request) }, request.params.id, request.body),
		});
	}
	addRoute(app, "DELETE /segments/:id", {
		tags,
		summary: "Remove a segment",
		params: SegmentParams,
		querystring: AccountQuery,
		guard: writing,
		empty: "Removed",
		handler: async (request) => {
			await removeSegment(deps, { siteId: request.site.id, actor: actorOf(request) }, request.params.id);
		},
	});
}
