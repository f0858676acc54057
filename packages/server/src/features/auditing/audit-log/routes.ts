import { reachableSites } from "../../../access/index.ts";
import type { App } from "../../../platform/http/app.ts";
import { success } from "../../../platform/http/envelope.ts";
import { errorAnswers } from "../../../platform/http/error-answers.ts";
import { Success } from "../../../platform/http/schemas.ts";
import { auditActions } from "./actions.ts";
import { type AuditLogDeps, checkSiteFilter, listEntries, organizationAsked } from "./list-entries.ts";
import { parseFilter } from "./parse.ts";
import { presentEntries } from "./present.ts";
import { Actions, Entries, ListQuery } from "./schemas.ts";

const tags = ["Audit log"];

/** The routes that read the audit log. */
export function registerAuditLog(app: App, deps: AuditLogDeps): void {
	registerEntries(app, deps);
	app.route({
		method: "GET",
		url: "/audit/actions",
		schema: { tags, summary: "Every action that the audit log knows", response: { 200: Success(Actions) } },
		config: { guard: { kind: "session", scope: "read" } },
		handler: async () => success({ actions: [...auditActions] }),
	});
}

function registerEntries(app: App, deps: AuditLogDeps): void {
	app.route({
		method: "GET",
		url: "/audit/logs",
		schema: {
			tags,
			summary: "Who changed what, newest first",
			querystring: ListQuery,
			response: { 200: Success(Entries), ...errorAnswers("bad_request", "account_not_found", "not_found") },
		},
		config: { guard: { kind: "session", scope: "read" } },
		handler: async (request) => {
			const { caller, query } = request;
			if (query.account_id !== undefined) {
				await checkSiteFilter(deps.metadata, query.account_id, caller.userId);
				await request.refuseShutSite(query.account_id);
			}
			const reader = { userId: caller.userId, isSuperadmin: request.visit.isSuperadmin };
			const page = { page: query.page, pageSize: query.page_size };
			const reach = await reachableSites(deps.metadata, caller.userId);
			const shutSiteIds = reach.map(({ id }) => id).filter((id) => !request.isSiteOpenHere(id));
			const filter = {
				...parseFilter(query),
				shutSiteIds,
				...(query.organization !== undefined && {
					organizationId: await organizationAsked(deps.metadata, query.organization, caller.userId),
				}),
			};
			return success(presentEntries(await listEntries(deps, reader, filter, page), page));
		},
	});
}
