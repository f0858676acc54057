import { reachableSites } from "../../../access/index.ts";
import type { App } from "../../../platform/http/app.ts";
import { success } from "../../../platform/http/envelope.ts";
import { errorAnswers } from "../../../platform/http/error-answers.ts";
import { Success } from "../../../platform/http/schemas.ts";
import { type AuditLogDeps, checkSiteFilter, listEntries } from "./list-entries.ts";
import { parseFilter } from "./parse.ts";
import { presentEntries } from "./present.ts";
import { Entries, ListQuery } from "./schemas.ts";

/** The route that reads the audit log. */
export function registerAuditLog(app: App, deps: AuditLogDeps): void {
	app.route({
		method: "GET",
		url: "/audit/logs",
		schema: {
			tags: ["Audit log"],
			summary: "Who changed what, newest first",
			querystring: ListQuery,
			response: { 200: Success(Entries), ...errorAnswers("bad_request", "account_not_found") },
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
			const filter = { ...parseFilter(query), shutSiteIds };
			return success(presentEntries(await listEntries(deps, reader, filter, page), page));
		},
	});
}
