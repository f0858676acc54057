import { presentRow } from "../../../platform/http/present-row.ts";
import { timestamp } from "../../../platform/lib/timestamp.ts";
import type { Answer } from "./answer-question.ts";
import { MESSAGES, QUESTIONS_A_MONTH } from "./bounds.ts";
import { type Results, Session } from "./schemas.ts";
import type { SiteTool } from "./site-tools.ts";
import type { ConversationRow, MessageRow } from "./store.ts";
import type { MonthUsage } from "./usage-store.ts";

const leftOf = ({ questions, bonus }: Pick<MonthUsage, "questions" | "bonus">): number =>
	Math.max(0, QUESTIONS_A_MONTH + bonus - questions);

export function presentUsage(usage: MonthUsage) {
	const limit = QUESTIONS_A_MONTH + usage.bonus;
	return {
		questions_used: usage.questions,
		questions_limit: QUESTIONS_A_MONTH,
		bonus_questions: usage.bonus,
		questions_remaining: leftOf(usage),
		period_start: usage.first.toString(),
		period_end: usage.last.toString(),
		percentage_used: Math.round(Math.min(1, usage.questions / limit) * 10_000) / 100,
	};
}

export const presentIncrement = (couldAsk: boolean, usage: MonthUsage) => ({
	can_ask: couldAsk,
	questions_remaining: leftOf(usage),
	message: couldAsk ? null : "The site's questions of this month are used up",
});

const nothing: Results = { charts: [], tables: [], tools_used: [] };

const shown = ({ tools_used, charts, tables }: Results): Results => ({ tools_used, charts, tables });

export const presentAnswer = ({ text, conversationId, inputTokens, outputTokens, ...results }: Answer) => ({
	response: text,
	conversation_id: conversationId,
	...shown(results),
	input_tokens: inputTokens,
	output_tokens: outputTokens,
});

export const presentSession = (row: ConversationRow & { readonly messages: number }) => ({
	...presentRow(Session, row),
	message_count: row.messages,
	is_active: row.messages < MESSAGES,
});

const presentMessage = ({ role, content, created_at, results }: MessageRow) => ({
	role,
	content,
	timestamp: timestamp(created_at),
	...shown(results === null ? nothing : (JSON.parse(results) as Results)),
});

export const presentConversation = (row: ConversationRow, messages: readonly MessageRow[]) => ({
	conversation_id: row.id,
	account_id: row.site_id,
	title: row.title,
	messages: messages.map(presentMessage),
	created_at: timestamp(row.created_at),
	updated_at: timestamp(row.updated_at),
});

const categories: readonly (readonly [category: string, names: RegExp])[] = [
	["overview", /^(get_overview|explain_change)$/],
	["pages", /page/],
	["conversions", /conversions|funnel/],
	["properties", /property/],
	["audience", /countries|devices/],
	["query", /^query$/],
	["sources", /./],
];

export const presentTools = (tools: readonly SiteTool[]) => ({
	tools: tools.map(({ name, description }) => ({
		name,
		description,
		category: categories.find(([, names]) => names.test(name))?.[0] ?? "sources",
	})),
	total: tools.length,
});
