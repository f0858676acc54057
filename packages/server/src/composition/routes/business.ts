import { registerBotStats } from "../../features/collecting/bot-stats/index.ts";
import { registerChannelGroups } from "../../features/collecting/channel-groups/index.ts";
import { registerImports } from "../../features/collecting/imports/index.ts";
import { registerMigration } from "../../features/collecting/migration/index.ts";
import { registerPassthroughReferrers } from "../../features/collecting/passthrough-referrers/index.ts";
import { registerReferrerMappings } from "../../features/collecting/referrer-mappings/index.ts";
import { registerAssistant } from "../../features/connecting/assistant/index.ts";
import type { App } from "../../platform/http/app.ts";
import { compressAnswers } from "../../platform/http/compress-answers.ts";
import type { RouteDeps } from "../app-deps.ts";
import { importDeps } from "../import-deps.ts";
import { registerAppAccess } from "./apps.ts";
import { registerBillingRoutes } from "./billing.ts";
import { registerNotices, registerOutgoing } from "./deliveries.ts";
import { registerKeeping } from "./keeping.ts";
import { modelOf } from "./model-of.ts";
import { registerOperating } from "./operating.ts";
import { registerPeople } from "./people.ts";
import { placeBadQuestions } from "./place-bad-questions.ts";
import { registerReporting } from "./reports.ts";
import { tellEngineTime } from "./tell-engine-time.ts";
import { registerTenancy } from "./tenancy.ts";

/** Paths of large answers, in which no secret stands. */
const LARGE = ["/stats/", "/batch", "/bot-stats/", "/openapi.json"];

/** Every route below the version prefix. A slice is handed what its type names; the order is that of the API description. */
export function registerBusinessRoutes(api: App, deps: RouteDeps): void {
	const { config, metadata, clock, eventStore, attribution } = deps;
	const { secretKey, secretKeyPrevious, legacyApiUrl } = config;
	placeBadQuestions(api);
	tellEngineTime(api);
	compressAnswers(api, LARGE);
	registerPeople(api, deps);
	registerTenancy(api, deps);
	registerKeeping(api, deps);
	registerBillingRoutes(api, deps);
	registerAppAccess(api, deps);
	registerChannelGroups(api, { metadata, clock, eventStore, attribution });
	registerPassthroughReferrers(api, { metadata, clock, attribution });
	registerReferrerMappings(api, { metadata, clock, attribution });
	registerBotStats(api, { eventStore, clock });
	registerImports(api, importDeps(deps));
	registerMigration(api, { secretKey, secretKeyPrevious, legacyApiUrl, imports: importDeps(deps) });
	registerOutgoing(api, deps);
	registerOperating(api, deps);
	registerReporting(api, deps);
	registerNotices(api, deps);
	// Its tools are made of routes that are there.
	registerAssistant(api, { metadata, clock, llm: modelOf(deps.config), operatorFetch: deps.operatorFetch });
}
