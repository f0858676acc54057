import { AccountQuery, type Caller, type Guard } from "../../../access/index.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { success } from "../../../platform/http/envelope.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { conversationNotFound } from "./answer-question.ts";
import { presentConversation, presentSession } from "./present.ts";
import { ConversationAnswer, ConversationParams, DeletedAnswer, SessionsAnswer, SessionsQuery } from "./schemas.ts";
import { countConversations, dropConversation, findConversation, listConversations, messagesOf } from "./store.ts";

const tags = ["Assistant"];
/** Conversations are their user's alone. */
const own = { kind: "site", siteFrom: "account", keyScope: null, role: "viewer", impersonation: "refused" } as const;
const reading: Guard = { ...own, write: false };
const removing: Guard = { ...own, write: true };

interface OfSite {
	readonly site: { readonly id: string };
	readonly caller: Caller;
}
const talkerOf = ({ site, caller }: OfSite) => ({ siteId: site.id, userId: caller.userId });

/** Routes on what a user has asked about a site. */
export function registerConversations(app: App, { metadata }: { readonly metadata: Metadata }): void {
	addRoute(app, "GET /assistant/sessions", {
		tags,
		summary: "Your conversations about a site, the latest first",
		querystring: SessionsQuery,
		guard: reading,
		answer: SessionsAnswer,
		handler: async (request) => {
			const talker = talkerOf(request);
			const rows = await listConversations(metadata, talker, request.query.limit);
			return success({ sessions: rows.map(presentSession), total: await countConversations(metadata, talker) });
		},
	});
	addRoute(app, "GET /assistant/conversations/:conversation_id", {
		tags,
		summary: "One of your conversations",
		params: ConversationParams,
		querystring: AccountQuery,
		guard: reading,
		answer: ConversationAnswer,
		handler: async (request) => {
			const row = await findConversation(metadata, talkerOf(request), request.params.conversation_id);
			if (row === undefined) throw conversationNotFound();
			return success(presentConversation(row, await messagesOf(metadata, row.id)));
		},
	});
	addRoute(app, "DELETE /assistant/conversations/:conversation_id", {
		tags,
		summary: "Delete one of your conversations",
		params: ConversationParams,
		querystring: AccountQuery,
		guard: removing,
		answer: DeletedAnswer,
		handler: async (request) => {
			if (!(await dropConversation(metadata, talkerOf(request), request.params.conversation_id)))
				throw conversationNotFound();
			return success({ deleted: true });
		},
	});
}
