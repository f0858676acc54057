import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { ErrorRef } from "../../../platform/http/schemas.ts";
import type { AttributionChangeDeps } from "../attribution-settings/index.ts";
import { askRules } from "./ask-rules.ts";
import { type ChannelStatsDeps, channelStats } from "./channel-stats.ts";
import { reading, readingFigures } from "./guards.ts";
import { presentChannels, presentTest } from "./present.ts";
import { toQuestion } from "./rule-input.ts";
import { AccountQuery, ChannelStats, ChannelStatsQuery, TestAnswer, TestBody } from "./schemas.ts";

const tags = ["Channel groups"];

/** Routes that ask the rules and show what they made of the visits. */
export function registerUse(app: App, deps: AttributionChangeDeps & ChannelStatsDeps): void {
	addRoute(app, "POST /channel-groups/test", {
		tags,
		summary: "Test the channel of a visit",
		querystring: AccountQuery,
		body: TestBody,
		guard: reading,
		data: TestAnswer,
		handler: async (request) => {
			return presentTest(await askRules(deps, request.site.id, toQuestion(request.body)));
		},
	});
	addRoute(app, "GET /channel-groups/stats/channels", {
		tags,
		summary: "Traffic by channel",
		querystring: ChannelStatsQuery,
		guard: readingFigures,
		data: ChannelStats,
		errors: { 400: { description: "`bad_request`", ...ErrorRef } },
		handler: async (request) => presentChannels(await channelStats(deps, request.site, request.query)),
	});
}
