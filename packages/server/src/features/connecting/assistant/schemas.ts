import { type Static, Type } from "typebox";
import { account } from "../../../access/index.ts";
import { Nullable, OneOf, Text, Timestamp } from "../../../platform/http/schemas.ts";

export const ChatQuery = Type.Object({
	account_id: Type.Optional(Type.String({ description: "Site slug, if the body does not have it" })),
});
export const ChatBody = Type.Object({
	message: Text(1, 1000, {
		description: "The question",
		"x-characters": "lines",
		examples: ["Which pages lost visits?"],
	}),
	account_id: Type.Optional(Type.String({ description: "Site slug" })),
	conversation_id: Type.Optional(
		Nullable(Type.String({ format: "uuid" }), { description: "Continues a conversation; null starts one" }),
	),
	language: Type.String({
		pattern: "^[a-z]{2}(-[A-Z]{2})?$",
		default: "en",
		description: "Language of the answer, as `en` or `pt-BR`",
	}),
});
export const SessionsQuery = Type.Object({
	...account,
	limit: Type.Integer({ minimum: 1, maximum: 50, default: 10 }),
});
export const ConversationParams = Type.Object({ conversation_id: Type.String({ format: "uuid" }) });

const title = () =>
	Type.String({ description: "Beginning of the first question", examples: ["Where did visits come from?"] });
const Cell = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]);
const Chart = Type.Object({
	type: OneOf(["line", "bar"]),
	title: Type.String({ examples: ["Sources"] }),
	data: Type.Array(Type.Record(Type.String(), Cell), { examples: [[{ utm_source: "google", entrances: 412 }]] }),
	x_key: Type.String({ description: "Field of `data` along the axis", examples: ["utm_source"] }),
	y_key: Type.String({ description: "Field of `data` to draw", examples: ["entrances"] }),
	y_label: Nullable(Type.String(), { description: "Unit; null = a count", examples: [null] }),
});
const Table = Type.Object({
	title: Type.String({ examples: ["Sources"] }),
	columns: Type.Array(Type.String(), { examples: [["utm_source", "entrances"]] }),
	rows: Type.Array(Type.Array(Cell), { examples: [[["google", 412]]] }),
});
const UsedTool = Type.Object({
	tool_name: Type.String({ examples: ["get_sources"] }),
	success: Type.Boolean(),
	duration_ms: Type.Integer(),
	arguments: Type.Record(Type.String(), Type.Unknown(), {
		description: "As given by the model, without the site",
		examples: [{ period: "7d" }],
	}),
});
export type Cell = Static<typeof Cell>;
export type Chart = Static<typeof Chart>;
export type Table = Static<typeof Table>;

const shown = {
	tools_used: Type.Array(UsedTool),
	charts: Type.Array(Chart, { description: "Created by the service from the answers of the tools" }),
	tables: Type.Array(Table, { description: "Created by the service from the answers of the tools" }),
};
/** Results shown below an answer, in the form in which they are stored. */
const Results = Type.Object(shown);
export type Results = Static<typeof Results>;

export const ChatAnswer = Type.Object({
	response: Type.String({
		description: "Text of the model: plain, or with simple Markdown. Do not render HTML, links or images in it",
		examples: ["Most visits came from Google: 412 of 980 in the last seven days."],
	}),
	conversation_id: Type.String({ format: "uuid" }),
	...shown,
	input_tokens: Type.Integer({ description: "Of all rounds; an estimate where the endpoint does not report it" }),
	output_tokens: Type.Integer(),
});

export const Session = Type.Object({
	id: Type.String({ format: "uuid" }),
	title: title(),
	message_count: Type.Integer(),
	created_at: Timestamp(),
	updated_at: Timestamp(),
	is_active: Type.Boolean({ description: "More messages can follow" }),
});
export const SessionsAnswer = Type.Object({ sessions: Type.Array(Session), total: Type.Integer() });

export const ConversationAnswer = Type.Object({
	conversation_id: Type.String({ format: "uuid" }),
	account_id: Type.String(),
	title: Nullable(title()),
	messages: Type.Array(
		Type.Object({
			role: OneOf(["user", "assistant"]),
			content: Type.String({ examples: ["Where did visits come from?"] }),
			timestamp: Timestamp(),
			...shown,
		}),
	),
	created_at: Timestamp(),
	updated_at: Timestamp(),
});

export const DeletedAnswer = Type.Object({ deleted: Type.Boolean() });

export const ToolsAnswer = Type.Object({
	tools: Type.Array(
		Type.Object({
			name: Type.String({ examples: ["get_sources"] }),
			description: Type.String({ examples: ["Traffic by source (utm_source)."] }),
			category: Type.String({ examples: ["sources"] }),
		}),
	),
	total: Type.Integer(),
});

const remaining = Type.Integer({ description: "Including extra questions" });

export const UsageAnswer = Type.Object({
	questions_used: Type.Integer(),
	questions_limit: Type.Integer({ description: "Month in the site's time zone" }),
	bonus_questions: Type.Integer({ description: "Extra questions that the operator granted for this month" }),
	questions_remaining: remaining,
	period_start: Type.String({ format: "date" }),
	period_end: Type.String({ format: "date" }),
	percentage_used: Type.Number(),
});

export const IncrementAnswer = Type.Object({
	can_ask: Type.Boolean({ description: "False: not counted" }),
	questions_remaining: remaining,
	message: Nullable(Type.String()),
});
