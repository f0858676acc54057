/** Every rule, in the order of reports. */
export const ruleNames = [
	"tracking_broken",
	"traffic_drop",
	"traffic_spike",
	"conversion_drop",
	"conversion_spike",
	"revenue_drop",
	"revenue_spike",
	"bounce_rate_rise",
	"channel_drop",
	"campaign_drop",
	"country_shift",
	"device_gap",
	"landing_page_bounce",
	"concentration_risk",
	"data_health",
	"bot_share",
] as const;
export type RuleName = (typeof ruleNames)[number];

export const insightTypes = ["anomaly", "opportunity", "trend", "alert", "health"] as const;
type InsightType = (typeof insightTypes)[number];

/** Category of a rule's insights, and the source of their figures. */
interface RuleFacts {
	readonly type: InsightType;
	readonly category: string;
	/** The report that shows the same figures. */
	readonly tool: string;
}

export const ruleFacts: Readonly<Record<RuleName, RuleFacts>> = {
	tracking_broken: { type: "alert", category: "tracking", tool: "pixel" },
	traffic_drop: { type: "anomaly", category: "traffic", tool: "overview" },
	traffic_spike: { type: "trend", category: "traffic", tool: "overview" },
	conversion_drop: { type: "anomaly", category: "conversions", tool: "overview" },
	conversion_spike: { type: "opportunity", category: "conversions", tool: "overview" },
	revenue_drop: { type: "anomaly", category: "revenue", tool: "overview" },
	revenue_spike: { type: "opportunity", category: "revenue", tool: "overview" },
	bounce_rate_rise: { type: "anomaly", category: "engagement", tool: "overview" },
	channel_drop: { type: "anomaly", category: "acquisition", tool: "channels" },
	campaign_drop: { type: "anomaly", category: "acquisition", tool: "campaigns" },
	country_shift: { type: "trend", category: "audience", tool: "countries" },
	device_gap: { type: "opportunity", category: "audience", tool: "devices" },
	landing_page_bounce: { type: "anomaly", category: "engagement", tool: "landing-pages" },
	concentration_risk: { type: "health", category: "acquisition", tool: "sources" },
	data_health: { type: "health", category: "tracking", tool: "rejections" },
	bot_share: { type: "health", category: "tracking", tool: "bot-stats" },
};

/** The rules whose insights are of some types. */
export const rulesOf = (types: readonly InsightType[]): readonly RuleName[] =>
	ruleNames.filter((name) => types.includes(ruleFacts[name].type));
