import type { FastifyRequest } from "fastify";
import { findSiteFor, type Guard } from "../../../access/index.ts";
import { fieldError, ServiceError } from "../../../platform/errors/service-error.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { success } from "../../../platform/http/envelope.ts";
import { errorAnswers } from "../../../platform/http/error-answers.ts";
import { currentAsker } from "../../../platform/lib/asker.ts";
import { describeCause } from "../../../platform/log/describe-cause.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { GuardedFetch } from "../../../platform/outbound/guarded-fetch.ts";
import { askerOf, type CallDeps, readyTools } from "../mcp/index.ts";
import { answerQuestion, type Question } from "./answer-question.ts";
import { registerConversations } from "./conversation-routes.ts";
import type { CountDeps } from "./count-questions.ts";
import type { ModelSettings } from "./model.ts";
import { presentAnswer, presentTools } from "./present.ts";
import { ChatAnswer, ChatBody, ChatQuery, ToolsAnswer } from "./schemas.ts";
import { type SiteTool, siteToolsOf } from "./site-tools.ts";
import { notSetUp, registerUsage } from "./usage-routes.ts";

const tags = ["Assistant"];
/** During impersonation conversations can be read but not continued. */
const reading: Guard = { kind: "session", scope: "read", impersonation: "refused" };
const asking: Guard = { kind: "session", scope: "write", impersonation: "refused" };

/** Dependencies of the assistant's routes. */
export interface AssistantDeps extends CountDeps {
	/** Undefined where the operator names no model. */
	readonly llm: ModelSettings | undefined;
	/** The way to the operator's own addresses. */
	readonly operatorFetch: Pick<GuardedFetch, "send">;
}

/** Routes of the assistant, after those that its tools ask. */
export function registerAssistant(app: App, deps: AssistantDeps): void {
	const tools = readyTools((method, url) => app.schemaOf(method, url));
	const siteTools = siteToolsOf(tools);
	registerChat(app, deps, { tools, siteTools });
	registerConversations(app, deps);
	registerUsage(app, deps);
	addRoute(app, "GET /assistant/tools", {
		tags,
		summary: "Reports that the assistant can read of a site",
		guard: reading,
		answer: ToolsAnswer,
		handler: async () => success(presentTools(siteTools)),
	});
}

interface Tools {
	readonly tools: CallDeps["tools"];
	readonly siteTools: readonly SiteTool[];
}

function registerChat(app: App, deps: AssistantDeps, { tools, siteTools }: Tools): void {
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
					200: ChatAnswer,
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
				const question: Question = {
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
