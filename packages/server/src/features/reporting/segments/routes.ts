import { Type } from "typebox";
import { readingAccount, writingAccount } from "../../../access/index.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { ErrorRef } from "../../../platform/http/schemas.ts";
import { timestamp } from "../../../platform/lib/timestamp.ts";
import { actorOf } from "../../auditing/audit-log/index.ts";
import type { SiteChange } from "../../tenancy/organizations/index.ts";
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
	ownSegment,
	removeSegment,
	type Segment,
	type SegmentDeps,
	systemSegments,
} from "./segments.ts";
import { listSegments } from "./store.ts";

const tags = ["Segments"];
const reading = { tags, guard: readingAccount("viewer") };
const writing = { tags, guard: writingAccount("editor") };
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

const changeOf = (request: Parameters<typeof actorOf>[0] & Pick<SiteChange, "site">): SiteChange => ({
	site: request.site,
	actor: actorOf(request),
});

export function registerSegments(app: App, deps: SegmentDeps): void {
	addRoute(app, "GET /segments", {
		summary: "Segments of a site, the system ones first",
		querystring: ListQuery,
		...reading,
		data: Type.Array(SegmentSummary),
		handler: async (request) => {
			const own = (await listSegments(deps.metadata, request.site.id)).map(ownSegment);
			const system = request.query.include_system ? systemSegments(request.site.id) : [];
			return [...system, ...own].map(presentSummary);
		},
	});
	addRoute(app, "GET /segments/:id", {
		summary: "One segment",
		params: SegmentParams,
		querystring: AccountQuery,
		...reading,
		data: SegmentAnswer,
		handler: async (request) => presentSegment(await getSegment(deps, request.site.id, request.params.id)),
	});
	addRoute(app, "POST /segments", {
		summary: "Save a segment",
		querystring: AccountQuery,
		body: CreateSegmentBody,
		...writing,
		status: 201,
		data: SegmentAnswer,
		errors: { 409: refused },
		handler: async (request) => {
			const { name, display_name, description = null, color = null, filters } = request.body;
			const input = { name, display_name, description, color, filters };
			return presentSegment(await createSegment(deps, changeOf(request), input));
		},
	});
	addRoute(app, "POST /segments/:id/duplicate", {
		summary: "Copy a segment under a new name",
		params: SegmentParams,
		querystring: DuplicateQuery,
		...writing,
		status: 201,
		data: SegmentAnswer,
		errors: { 409: refused },
		handler: async (request) => {
			const { params, query } = request;
			return presentSegment(await duplicateSegment(deps, changeOf(request), params.id, query.new_name));
		},
	});
	for (const method of ["PUT", "PATCH"] as const) {
		addRoute(app, `${method} /segments/:id`, {
			summary: "Change a segment",
			params: SegmentParams,
			querystring: AccountQuery,
			body: ChangeSegmentBody,
			...writing,
			data: SegmentAnswer,
			handler: async (request) =>
				presentSegment(await changeSegment(deps, changeOf(request), request.params.id, request.body)),
		});
	}
	addRoute(app, "DELETE /segments/:id", {
		summary: "Remove a segment",
		params: SegmentParams,
		querystring: AccountQuery,
		...writing,
		empty: "Removed",
		handler: async (request) => {
			await removeSegment(deps, changeOf(request), request.params.id);
		},
	});
}
