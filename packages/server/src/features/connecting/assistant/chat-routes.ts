import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import { findSiteFor } from "../../../access/index.ts";
import { fieldError, ServiceError } from "../../../platform/errors/service-error.ts";
import type { App } from "../../../platform/http/app.ts";
import { success } from "../../../platform/http/envelope.ts";
import { errorAnswers } from "../../../platform/http/error-answers.ts";
import { Nullable, Success, Text } from "../../../platform/http/schemas.ts";
import { currentAsker } from "../../../platform/lib/asker.ts";
import { describeCause } from "../../../platform/log/describe-cause.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { GuardedFetch } from "../../../platform/outbound/guarded-fetch.ts";
import type { ChangeDeps } from "../../auditing/audit-log/index.ts";
import { askerOf, type CallDeps } from "../mcp/index.ts";
import { answerQuestion } from "./answer-question.ts";
import type { ModelSettings } from "./model.ts";
import { shown } from "./schemas.ts";
import type { SiteTool } from "./site-tools.ts";

const ChatBody = Type.Object({
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

const ChatAnswer = Type.Object({
	response: Type.String({
		description: "Text of the model: plain, or with simple Markdown. Do not render HTML, links or images in it",
		examples: ["Most visits came from Google: 412 of 980 in the last seven days."],
	}),
	conversation_id: Type.String({ format: "uuid" }),
	...shown,
	input_tokens: Type.Integer({ description: "Of all rounds; an estimate where the endpoint does not report it" }),
	output_tokens: Type.Integer(),
});

export const tags = ["Assistant"];

export const notSetUp = () =>
	new ServiceError("service_unavailable", {
		message: "The assistant is not set up: set LLM_BASE_URL and LLM_MODEL",
		isOurs: false,
	});

export interface AssistantDeps extends ChangeDeps {
	/** Undefined where the operator names no model. */
	readonly llm: ModelSettings | undefined;
	/** The way to the operator's own addresses. */
	readonly operatorFetch: Pick<GuardedFetch, "send">;
}

export function registerChat(
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
				querystring: Type.Object({
					account_id: Type.Optional(Type.String({ description: "Site slug, if the body does not have it" })),
				}),
				body: ChatBody,
				response: {
					200: Success(ChatAnswer),
					...errorAnswers("bad_request", "account_not_found", "conflict", "quota_exceeded", "bad_gateway"),
				},
			},
			config: { guard: { kind: "session", scope: "write", impersonation: "refused" } },
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
				const { text, conversationId, inputTokens, outputTokens, tools_used, charts, tables } = answered;
				return success({
					response: text,
					conversation_id: conversationId,
					...{ tools_used, charts, tables },
					input_tokens: inputTokens,
					output_tokens: outputTokens,
				});
			},
		});
	}
}

/** The site of a question, from body or query; its readers may ask. */
async function siteAsked(metadata: Metadata, request: FastifyRequest, inQuery?: string, inBody?: string) {
	const id = inBody ?? inQuery;
	if (id === undefined) throw fieldError("body.account_id", "is required", "missing");
	if (inQuery !== undefined && inQuery !== id) {
		throw new ServiceError("bad_request", "account_id of query and body name different sites");
	}
	const site = await findSiteFor(metadata, id, request.caller.userId);
	if (site === undefined) throw new ServiceError("account_not_found");
	if (site.role === undefined) throw new ServiceError("forbidden", `Access denied to account: ${id}`);
	await request.refuseShutSites([id]);
	return site;
}
