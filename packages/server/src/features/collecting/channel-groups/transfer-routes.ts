import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { success } from "../../../platform/http/envelope.ts";
import { ErrorRef, Success } from "../../../platform/http/schemas.ts";
import { actorOf } from "../../auditing/audit-log/index.ts";
import type { AttributionChangeDeps } from "../attribution-settings/index.ts";
import { reading, writing } from "./guards.ts";
import { importRules, tryImport } from "./import-rules.ts";
import { presentExport, presentImport, presentTrial } from "./present.ts";
import { defaultRules, ownRule } from "./rule.ts";
import { AccountQuery, ImportAnswer, ImportBody, ImportQuery, RuleExport } from "./schemas.ts";
import { listRules } from "./store.ts";

const tags = ["Channel groups"];
/** Bytes of an import. */
const BODY_LIMIT = 256 * 1024;

/** Routes that take the rules of a site out and in. */
export function registerTransfer(app: App, deps: AttributionChangeDeps): void {
	addRoute(app, "GET /channel-groups/export", {
		tags,
		summary: "Export all channel rules of a site",
		querystring: AccountQuery,
		guard: reading,
		data: RuleExport,
		handler: async (request) => {
			const own = await listRules(deps.metadata, request.site.id, { includeInactive: true });
			return presentExport(own.map(ownRule), defaultRules);
		},
	});
	app.route({
		method: "POST",
		url: "/channel-groups/import",
		bodyLimit: BODY_LIMIT,
		schema: {
			tags,
			summary: "Import channel rules, replacing those of the site",
			querystring: ImportQuery,
			body: ImportBody,
			response: {
				200: Success(ImportAnswer),
				409: { description: "`conflict`: more than 100 rules of its own", ...ErrorRef },
			},
		},
		config: { guard: writing },
		handler: async (request) => {
			const { dry_run: isTrial, scope } = request.query;
			const input = { rows: request.body.rules, scope };
			if (isTrial) return success(presentTrial(await tryImport(deps, request.site.id, input)));
			const change = { siteId: request.site.id, actor: actorOf(request) };
			return success(presentImport(await importRules(deps, change, input)));
		},
	});
}
