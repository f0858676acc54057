import { type Static, Type } from "typebox";
import { periodNames } from "../../../analytics/query/question/periods.ts";
import { Id, Nullable, OneOf, paging, Text, Timestamp } from "../../../platform/http/schemas.ts";

const pattern = (of: string) =>
	Nullable(Text(0, 255), { description: `RE2 expression, matched anywhere in the ${of}, case-insensitive` });

const account = { account_id: Type.String({ description: "Slug of the site" }) };
const flag = (description: string) => Type.Boolean({ default: false, description });
const onlyIfInactive = { only_if_inactive: flag("Refuse to change a live rule: `rule_is_live`") };

export const AccountQuery = Type.Object(account);
export const RuleParams = Type.Object({ rule_id: Id() });
export const WriteQuery = Type.Object({ ...account, ...onlyIfInactive });

const patterns = {
	source_pattern: Type.Optional(pattern("source")),
	medium_pattern: Type.Optional(pattern("medium")),
	campaign_pattern: Type.Optional(pattern("campaign")),
};
const priority = () =>
	Type.Integer({ minimum: 0, maximum: 1000, description: "Rules with the highest number are evaluated first" });

const newRule = {
	channel_name: Text(1, 50),
	...patterns,
	priority: Type.Integer({ ...priority(), default: 50 }),
};
export const CreateRuleBody = Type.Object({
	...newRule,
	is_active: Type.Boolean({ default: true, description: "false = a draft" }),
});
export const ChangeRuleBody = Type.Object({
	channel_name: Type.Optional(Text(1, 50)),
	...patterns,
	priority: Type.Optional(priority()),
	is_active: Type.Optional(Type.Boolean()),
});

export const Rule = Type.Object({
	id: Type.Integer(),
	account_id: Nullable(Type.String(), { description: "null for default rules" }),
	channel_name: Type.String(),
	source_pattern: Nullable(Type.String()),
	medium_pattern: Nullable(Type.String()),
	campaign_pattern: Nullable(Type.String()),
	priority: Type.Integer(),
	is_active: Type.Boolean(),
	is_default: Type.Boolean(),
	created_at: Timestamp(),
	updated_at: Timestamp(),
});
export type Rule = Static<typeof Rule>;

export const ListQuery = Type.Object({
	...account,
	include_inactive: flag("Include drafts"),
	include_defaults: Type.Boolean({ default: true }),
});
export const RuleList = Type.Object({
	rules: Type.Array(Rule, { description: "In order of evaluation" }),
	total: Type.Integer(),
	default_count: Type.Integer(),
	custom_count: Type.Integer(),
});

export const RuleExport = Type.Object({
	version: Type.Literal(1),
	rules: Type.Array(Rule),
	default_rules: Type.Array(Rule),
});
export const ImportQuery = Type.Object({
	...account,
	dry_run: flag("Report the result without changing anything"),
	scope: OneOf(["all", "drafts"], {
		default: "all",
		description: "`all` replaces all own rules; `drafts` replaces drafts, and stores drafts",
	}),
});
export const ImportBody = Type.Object({
	version: Type.Literal(1),
	rules: Type.Array(Type.Unknown({ description: "The fields of a new rule, as exported" })),
});
export const ImportAnswer = Type.Union([
	Type.Object({
		would_insert: Type.Integer({ description: "Rows without errors" }),
		would_delete: Type.Integer(),
		errors: Type.Array(Type.Object({ field: Type.String(), message: Type.String(), type: Type.String() })),
	}),
	Type.Object({ inserted: Type.Integer(), deleted: Type.Integer(), total_after: Type.Integer() }),
]);

const campaignText = () => Type.String({ maxLength: 255, default: "" });
const visit = { source: campaignText(), medium: campaignText(), campaign: campaignText() };
const TriedRule = Type.Object(
	{
		id: Type.Integer({ minimum: 0, default: 0, description: "Id of the rule it replaces; 0 for a new one" }),
		...newRule,
	},
	{ description: "An unsaved rule, evaluated as if it were live" },
);
export const TestBody = Type.Object({
	...visit,
	include_inactive: flag("Evaluate drafts too"),
	rule: Type.Optional(TriedRule),
	visits: Type.Optional(
		Type.Array(Type.Object(visit), {
			maxItems: 1000,
			description: "More visits, for which only the channels are returned",
		}),
	),
});
export const TestAnswer = Type.Object({
	channel: Type.String(),
	matched_rule: Nullable(Rule, { description: "Id 0: the unsaved `rule` of the request" }),
	channels: Type.Optional(
		Type.Array(Type.String(), { description: "For `visits`, in the same order; only when they are given" }),
	),
});

const day = (description: string) => Type.Optional(Type.String({ format: "date", description }));
export const ChannelStatsQuery = Type.Object({
	...account,
	period: Type.Optional(OneOf(periodNames, { description: "Relative range, default `30d`; overrides the dates" })),
	start_date: day("First day, in the site's time zone"),
	end_date: day("Last day"),
	date_from: day("Alias of `start_date`"),
	date_to: day("Alias of `end_date`"),
	country: Type.Optional(
		Type.Array(Type.String(), {
			description: "ISO 3166-1 alpha-2 code or `Unknown`; repeat it to allow several values",
		}),
	),
	...paging({ pageSize: 50, max: 100 }),
});
const count = Type.Integer();
export const ChannelStats = Type.Object({
	channels: Type.Array(
		Type.Object({
			channel: Type.String({ description: "Empty for rows imported without a channel" }),
			entrances: count,
			engaged_entrances: count,
			bounces: count,
			bounce_rate: Type.Number(),
			page_views: count,
			microconversions: count,
			conversions: count,
			conversion_rate: Type.Number(),
			revenue: Type.Number(),
		}),
	),
	total: Type.Integer({ description: "Number of channels on all pages" }),
});
