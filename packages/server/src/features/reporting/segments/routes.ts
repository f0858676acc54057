import { Type } from "typebox";
import { readingAccount, writingAccount } from "../../../access/index.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { ErrorRef } from "../../../platform/http/schemas.ts";
import { timestamp } from "../../../platform/lib/timestamp.ts";
import { siteChangeOf } from "../../tenancy/organizations/index.ts";
import { countConditions } from "./filter-conditions.ts";
import {
	AccountQuery,
	ChangeSegmentBody,
	CreateSegmentBody,
	DuplicateQuery,
	ListQuery,
	Segment as SegmentAnswer,
	SegmentParams,
	SegmentSummary,
} from "./schemas.ts";
import {
	changeSegment,
	createSegment,
	duplicateSegment,
	getSegment,
	ownSegments,
	removeSegment,
	type Segment,
	type SegmentDeps,
	systemSegments,
} from "./segments.ts";

const tags = ["Segments"];
const reading = { tags, querystring: AccountQuery, guard: readingAccount("viewer") };
const writing = { tags, querystring: AccountQuery, guard: writingAccount("editor") };
const refused = {
	description: "`duplicate_entry`: the name is taken; `conflict`: the site has 100 segments",
	...ErrorRef,
};

const presentSummary = ({ id, name, display_name, description, color, filters, stored }: Segment) => ({
	id,
	name,
	display_name,
	description,
	color,
	is_system: stored === undefined,
	filter_count: countConditions(filters),
});

const presentSegment = (segment: Segment) => ({
	...presentSummary(segment),
	account_id: segment.site_id,
	filters: segment.filters,
	created_by: segment.stored?.created_by ?? null,
	created_at: segment.stored ? timestamp(segment.stored.created_at) : null,
	updated_at: segment.stored ? timestamp(segment.stored.updated_at) : null,
});

export function registerSegments(app: App, deps: SegmentDeps): void {
	addRoute(app, "GET /segments", {
		...reading,
		summary: "Segments of a site, the system ones first",
		querystring: ListQuery,
		data: Type.Array(SegmentSummary),
		handler: async (request) => {
			const own = await ownSegments(deps.metadata, request.site.id);
			const system = request.query.include_system ? systemSegments(request.site.id) : [];
			return [...system, ...own].map(presentSummary);
		},
	});
	addRoute(app, "GET /segments/:id", {
		...reading,
		summary: "One segment",
		params: SegmentParams,
		data: SegmentAnswer,
		handler: async (request) => presentSegment(await getSegment(deps, request.site.id, request.params.id)),
	});
	addRoute(app, "POST /segments", {
		...writing,
		summary: "Save a segment",
		body: CreateSegmentBody,
		status: 201,
		data: SegmentAnswer,
		errors: { 409: refused },
		handler: async (request) => {
			const { name, display_name, description = null, color = null, filters } = request.body;
			const input = { name, display_name, description, color, filters };
			return presentSegment(await createSegment(deps, siteChangeOf(request), input));
		},
	});
	addRoute(app, "POST /segments/:id/duplicate", {
		...writing,
		summary: "Copy a segment under a new name",
		params: SegmentParams,
		querystring: DuplicateQuery,
		status: 201,
		data: SegmentAnswer,
		errors: { 409: refused },
		handler: async (request) => {
			const { params, query } = request;
			return presentSegment(await duplicateSegment(deps, siteChangeOf(request), params.id, query.new_name));
		},
	});
	for (const method of ["PUT", "PATCH"] as const) {
		addRoute(app, `${method} /segments/:id`, {
			...writing,
			summary: "Change a segment",
			params: SegmentParams,
			body: ChangeSegmentBody,
			data: SegmentAnswer,
			handler: async (request) =>
				presentSegment(await changeSegment(deps, siteChangeOf(request), request.params.id, request.body)),
		});
	}
	addRoute(app, "DELETE /segments/:id", {
		...writing,
		summary: "Remove a segment",
		params: SegmentParams,
		empty: "Removed",
		handler: async (request) => {
			await removeSegment(deps, siteChangeOf(request), request.params.id);
		},
	});
}
