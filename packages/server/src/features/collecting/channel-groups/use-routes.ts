import type { App } from "../../../platform/http/app.ts";
import { success } from "../../../platform/http/envelope.ts";
import { ErrorRef, Success } from "../../../platform/http/schemas.ts";
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
	app.route({
		method: "POST",
		url: "/channel-groups/test",
		schema: {
			tags,
			summary: "The channel that a visit would get",
			querystring: AccountQuery,
			body: TestBody,
			response: { 200: Success(TestAnswer) },
		},
		config: { guard: reading },
		handler: async (request) => {
			return success(presentTest(await askRules(deps, request.site.id, toQuestion(request.body))));
		},
	});
	app.route({
		method: "GET",
		url: "/channel-groups/stats/channels",
		schema: {
			tags,
			summary: "Traffic by channel",
			querystring: ChannelStatsQuery,
			response: { 200: Success(ChannelStats), 400: { description: "`bad_request`", ...ErrorRef } },
		},
		config: { guard: readingFigures },
		handler: async (request) => success(presentChannels(await channelStats(deps, request.site, request.query))),
	});
}
