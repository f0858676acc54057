import { Type } from "typebox";
import { account } from "../../../access/index.ts";
import { botFlags } from "../../../analytics/model/bot-flags.ts";
import { OneOf, Timestamp } from "../../../platform/http/schemas.ts";

const flag = () => OneOf(botFlags.map(({ name }) => name));
const score = () => Type.Number({ minimum: 0, maximum: 100 });

export const OverviewQuery = Type.Object({
	...account,
	days: Type.Integer({ minimum: 1, maximum: 90, default: 30, description: "Days that end today" }),
});
export const SessionsQuery = Type.Object({
	...account,
	min_score: Type.Integer({ minimum: 1, maximum: 100, default: 50, description: "Sessions above this score" }),
	limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
});

export const Overview = Type.Object({
	period_start: Type.String({ format: "date" }),
	period_end: Type.String({ format: "date" }),
	distribution: Type.Object({
		score_0: Type.Integer(),
		score_1_30: Type.Integer(),
		score_31_60: Type.Integer(),
		score_61_80: Type.Integer(),
		score_81_100: Type.Integer(),
		total_hits: Type.Integer(),
		avg_score: score(),
		suspicious_percentage: Type.Number({ description: "Share of hits with a score above 30" }),
	}),
	top_flags: Type.Array(Type.Object({ flag: flag(), count: Type.Integer(), description: Type.String() }), {
		description: "Ten at most, by count",
	}),
	daily_trend: Type.Array(
		Type.Object({
			date: Type.String({ format: "date" }),
			total_hits: Type.Integer(),
			suspicious_hits: Type.Integer(),
			avg_score: score(),
		}),
		{ description: "One point a day, days without hits too" },
	),
});

export const Sessions = Type.Array(
	Type.Object({
		session_id: Type.String(),
		max_score: Type.Integer(),
		flags: Type.Array(flag(), { description: "Of all its hits" }),
		hit_count: Type.Integer(),
		first_seen: Timestamp(),
		last_seen: Timestamp(),
		user_agent: Type.String({ description: "Kept for suspicious hits only, else empty" }),
		country: Type.String(),
	}),
	{ description: "Of the last seven days, the highest score first" },
);
