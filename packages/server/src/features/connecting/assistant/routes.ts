import type { FastifyRequest } from "fastify";
import { AccountQuery, type Caller, findSiteFor, type Guard, readingAccount } from "../../../access/index.ts";
import { fieldError, ServiceError } from "../../../platform/errors/service-error.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { success } from "../../../platform/http/envelope.ts";
import { errorAnswers } from "../../../platform/http/error-answers.ts";
import { Success } from "../../../platform/http/schemas.ts";
import { currentAsker } from "../../../platform/lib/asker.ts";
import { describeCause } from "../../../platform/log/describe-cause.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { GuardedFetch } from "../../../platform/outbound/guarded-fetch.ts";
import type { ChangeDeps } from "../../auditing/audit-log/index.ts";
import { askerOf, type CallDeps, readyTools } from "../mcp/index.ts";
import { answerQuestion, conversationNotFound } from "./answer-question.ts";
import type { ModelSettings } from "./model.ts";
import {
	presentAnswer,
	presentConversation,
	presentIncrement,
	presentSession,
	presentTools,
	presentUsage,
} from "./present.ts";
import {
	ChatAnswer,
	ChatBody,
	ChatQuery,
	ConversationAnswer,
	ConversationParams,
	DeletedAnswer,
	IncrementAnswer,
	SessionsAnswer,
	SessionsQuery,
	ToolsAnswer,
	UsageAnswer,
} from "./schemas.ts";
import { type SiteTool, siteToolsOf } from "./site-tools.ts";
import { countConversations, dropConversation, findConversation, listConversations, messagesOf } from "./store.ts";
import { countQuestion, usageOf } from "./usage-store.ts";

const tags = ["Assistant"];
/** Conversations are their user's alone. */
const own = { kind: "site", siteFrom: "account", keyScope: null, role: "viewer", impersonation: "refused" } as const;
const readingOwn: Guard = { ...own, write: false };
const changingOwn: Guard = { ...own, write: true };

interface OfSite {
	readonly site: { readonly id: string };
	readonly caller: Caller;
}
const talkerOf = ({ site, caller }: OfSite) => ({ siteId: site.id, userId: caller.userId });

const notSetUp = () =>
	new ServiceError("service_unavailable", {
		message: "The assistant is not set up: set LLM_BASE_URL and LLM_MODEL",
		isOurs: false,
	});

/** During impersonation conversations can be read but not continued. */
const reading: Guard = { kind: "session", scope: "read", impersonation: "refused" };
const asking: Guard = { kind: "session", scope: "write", impersonation: "refused" };

interface AssistantDeps extends ChangeDeps {
	/** Undefined where the operator names no model. */
	readonly llm: ModelSettings | undefined;
	/** The way to the operator's own addresses. */
	readonly operatorFetch: Pick<GuardedFetch, "send">;
}

/** Routes of the assistant, after those that its tools ask. */
export function registerAssistant(app: App, deps: AssistantDeps): void {
	const { metadata } = deps;
	const tools = readyTools((method, url) => app.schemaOf(method, url));
	const siteTools = siteToolsOf(tools);
	registerChat(app, deps, { tools, siteTools });
	addRoute(app, "GET /assistant/sessions", {
		tags,
		summary: "Your conversations about a site, the latest first",
		querystring: SessionsQuery,
		guard: readingOwn,
		data: SessionsAnswer,
		handler: async (request) => {
			const talker = talkerOf(request);
			const rows = await listConversations(metadata, talker, request.query.limit);
			return { sessions: rows.map(presentSession), total: await countConversations(metadata, talker) };
		},
	});
	addRoute(app, "GET /assistant/conversations/:conversation_id", {
		tags,
		summary: "One of your conversations",
		params: ConversationParams,
		querystring: AccountQuery,
		guard: readingOwn,
		data: ConversationAnswer,
		handler: async (request) => {
			const row = await findConversation(metadata, talkerOf(request), request.params.conversation_id);
			if (row === undefined) throw conversationNotFound();
			return presentConversation(row, await messagesOf(metadata, row.id));
		},
	});
	addRoute(app, "DELETE /assistant/conversations/:conversation_id", {
		tags,
		summary: "Delete one of your conversations",
		params: ConversationParams,
		querystring: AccountQuery,
		guard: changingOwn,
		data: DeletedAnswer,
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
		data: UsageAnswer,
		handler: async ({ site }) => presentUsage(await usageOf(deps, site)),
	});
	addRoute(app, "POST /lens/chat/usage/increment", {
		tags,
		summary: "Count a question that a client answers itself; those of the assistant are counted automatically",
		querystring: AccountQuery,
		guard: changingOwn,
		data: IncrementAnswer,
		handler: async ({ site }) => {
			if (deps.llm === undefined) throw notSetUp();
			const couldAsk = (await countQuestion(deps, site)) !== undefined;
			return presentIncrement(couldAsk, await usageOf(deps, site));
		},
	});
	addRoute(app, "GET /assistant/tools", {
		tags,
		summary: "Reports that the assistant can read of a site",
		guard: reading,
		data: ToolsAnswer,
		handler: async () => presentTools(siteTools),
	});
}

function registerChat(
	app: App,
	deps: AssistantDeps,
	{ tools, siteTools }: { readonly tools: CallDeps["tools"]; readonly siteTools: readonly SiteTool[] },
): void {
	for (const url of ["/assistant/chat", "/lens/chat"]) {
		app.route({
			method: "POST",
			url,
			schema: {
				tags,
				summary:
					url === "/lens/chat"
						? "The same as `POST /assistant/chat`"
						: "Ask a question about a site, answered from its reports",
				querystring: ChatQuery,
				body: ChatBody,
				response: {
					200: Success(ChatAnswer),
					...errorAnswers("bad_request", "account_not_found", "conflict", "quota_exceeded", "bad_gateway"),
				},
			},
			config: { guard: asking },
			// A site without access is refused first, whatever the body contains.
			preValidation: async (request) => {
				const { account_id: named } = request.query;
				if (typeof named === "string") await siteAsked(deps.metadata, request, named);
			},
			handler: async (request) => {
				const { body, query } = request;
				const site = await siteAsked(deps.metadata, request, query.account_id, body.account_id);
				const { llm } = deps;
				if (llm === undefined) throw notSetUp();
				const onError = (error: unknown) => request.log.error({ cause: describeCause(error) }, "Tool failed");
				const calls: CallDeps = { metadata: deps.metadata, clock: deps.clock, tools, onError };
				const question = {
					text: body.message,
					conversationId: body.conversation_id ?? undefined,
					language: body.language,
					site,
					asker: askerOf(app, request),
					signal: currentAsker()?.signal,
				};
				const answered = await answerQuestion({ ...deps, llm, fetch: deps.operatorFetch, calls, siteTools }, question);
				return success(presentAnswer(answered));
			},
		});
	}
}

/** The site of a question, from body or query; its readers may ask. */
async function siteAsked(metadata: Metadata, request: FastifyRequest, inQuery?: string, inBody?: string) {
	const id = inBody ?? inQuery;
	if (id === undefined) throw fieldError("body.account_id", "is required", "missing");
	if (inQuery !== undefined && inQuery !== id) {
		throw new ServiceError("bad_request", { message: "account_id of query and body name different sites" });
	}
	const site = await findSiteFor(metadata, id, request.caller.userId);
	if (site === undefined) throw new ServiceError("account_not_found");
	if (site.role === undefined) throw new ServiceError("forbidden", { message: `Access denied to account: ${id}` });
	await request.refuseShutSites([id]);
	return site;
}
