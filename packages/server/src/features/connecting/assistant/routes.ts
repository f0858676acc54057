import { Type } from "typebox";
import { AccountQuery, account, type Caller, type Guard, readingAccount } from "../../../access/index.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { presentRow } from "../../../platform/http/present-row.ts";
import { Nullable, OneOf, Timestamp } from "../../../platform/http/schemas.ts";
import { timestamp } from "../../../platform/lib/timestamp.ts";
import { readyTools } from "../mcp/index.ts";
import { conversationNotFound } from "./answer-question.ts";
import { type AssistantDeps, notSetUp, registerChat, tags } from "./chat-routes.ts";
import { type Results, shown } from "./schemas.ts";
import { siteToolsOf } from "./site-tools.ts";
import {
	countConversations,
	dropConversation,
	findConversation,
	listConversations,
	MESSAGES,
	messagesOf,
} from "./store.ts";
import { countQuestion, type MonthUsage, QUESTIONS_A_MONTH, usageOf } from "./usage-store.ts";

const ConversationParams = Type.Object({ conversation_id: Type.String({ format: "uuid" }) });

const title = () =>
	Type.String({ description: "Beginning of the first question", examples: ["Where did visits come from?"] });

const Session = Type.Object({
	id: Type.String({ format: "uuid" }),
	title: title(),
	message_count: Type.Integer(),
	created_at: Timestamp(),
	updated_at: Timestamp(),
	is_active: Type.Boolean({ description: "More messages can follow" }),
});

const nothing: Results = { charts: [], tables: [], tools_used: [] };

const remaining = Type.Integer({ description: "Including extra questions" });

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

const categories: readonly (readonly [category: string, names: RegExp])[] = [
	["overview", /^(get_overview|explain_change)$/],
	["pages", /page/],
	["conversions", /conversions|funnel/],
	["properties", /property/],
	["audience", /countries|devices/],
	["query", /^query$/],
	["sources", /./],
];

/** Conversations are their user's alone. */
const own = { kind: "site", siteFrom: "account", keyScope: null, role: "viewer", impersonation: "refused" } as const;
const readingOwn: Guard = { ...own, write: false };
const changingOwn: Guard = { ...own, write: true };

interface OfSite {
	readonly site: { readonly id: string };
	readonly caller: Caller;
}
const talkerOf = ({ site, caller }: OfSite) => ({ siteId: site.id, userId: caller.userId });

/** Routes of the assistant, after those that its tools ask. */
export function registerAssistant(app: App, deps: AssistantDeps): void {
	const { metadata } = deps;
	const tools = readyTools((method, url) => app.schemaOf(method, url));
	const siteTools = siteToolsOf(tools);
	registerChat(app, deps, { tools, siteTools });
	addRoute(app, "GET /assistant/sessions", {
		tags,
		summary: "Your conversations about a site, the latest first",
		querystring: Type.Object({
			...account,
			limit: Type.Integer({ minimum: 1, maximum: 50, default: 10 }),
		}),
		guard: readingOwn,
		data: Type.Object({ sessions: Type.Array(Session), total: Type.Integer() }),
		handler: async (request) => {
			const talker = talkerOf(request);
			const rows = await listConversations(metadata, talker, request.query.limit);
			return {
				sessions: rows.map((row) => ({
					...presentRow(Session, row),
					message_count: row.messages,
					is_active: row.messages < MESSAGES,
				})),
				total: await countConversations(metadata, talker),
			};
		},
	});
	addRoute(app, "GET /assistant/conversations/:conversation_id", {
		tags,
		summary: "One of your conversations",
		params: ConversationParams,
		querystring: AccountQuery,
		guard: readingOwn,
		data: Type.Object({
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
		}),
		handler: async (request) => {
			const row = await findConversation(metadata, talkerOf(request), request.params.conversation_id);
			if (row === undefined) throw conversationNotFound();
			const messages = await messagesOf(metadata, row.id);
			return {
				conversation_id: row.id,
				account_id: row.site_id,
				title: row.title,
				messages: messages.map(({ role, content, created_at, results }) => {
					const { tools_used, charts, tables } = results === null ? nothing : (JSON.parse(results) as Results);
					return { role, content, timestamp: timestamp(created_at), tools_used, charts, tables };
				}),
				created_at: timestamp(row.created_at),
				updated_at: timestamp(row.updated_at),
			};
		},
	});
	addRoute(app, "DELETE /assistant/conversations/:conversation_id", {
		tags,
		summary: "Delete one of your conversations",
		params: ConversationParams,
		querystring: AccountQuery,
		guard: changingOwn,
		data: Type.Object({ deleted: Type.Boolean() }),
		handler: async (request) => {
			if (!(await dropConversation(metadata, talkerOf(request), request.params.conversation_id)))
				throw conversationNotFound();
			return { deleted: true };
		},
	});
	addRoute(app, "GET /lens/chat/usage", {
		tags,
		summary: "Questions used by a site in the current month",
		querystring: AccountQuery,
		guard: readingAccount("viewer"),
		data: Type.Object({
			questions_used: Type.Integer(),
			questions_limit: Type.Integer({ description: "Month in the site's time zone" }),
			bonus_questions: Type.Integer({ description: "Extra questions that the operator granted for this month" }),
			questions_remaining: remaining,
			period_start: Type.String({ format: "date" }),
			period_end: Type.String({ format: "date" }),
			percentage_used: Type.Number(),
		}),
		handler: async ({ site }) => presentUsage(await usageOf(deps, site)),
	});
	addRoute(app, "POST /lens/chat/usage/increment", {
		tags,
		summary: "Count a question that a client answers itself; those of the assistant are counted automatically",
		querystring: AccountQuery,
		guard: changingOwn,
		data: Type.Object({
			can_ask: Type.Boolean({ description: "False: not counted" }),
			questions_remaining: remaining,
			message: Nullable(Type.String()),
		}),
		handler: async ({ site }) => {
			if (deps.llm === undefined) throw notSetUp();
			const couldAsk = (await countQuestion(deps, site)) !== undefined;
			return {
				can_ask: couldAsk,
				questions_remaining: leftOf(await usageOf(deps, site)),
				message: couldAsk ? null : "The site's questions of this month are used up",
			};
		},
	});
	addRoute(app, "GET /assistant/tools", {
		tags,
		summary: "Reports that the assistant can read of a site",
		guard: { kind: "session", scope: "read", impersonation: "refused" },
		data: Type.Object({
			tools: Type.Array(
				Type.Object({
					name: Type.String({ examples: ["get_sources"] }),
					description: Type.String({ examples: ["Traffic by source (utm_source)."] }),
					category: Type.String({ examples: ["sources"] }),
				}),
			),
			total: Type.Integer(),
		}),
		handler: async () => ({
			tools: siteTools.map(({ name, description }) => ({
				name,
				description,
				category: categories.find(([, names]) => names.test(name))?.[0] ?? "sources",
			})),
			total: siteTools.length,
		}),
	});
}
