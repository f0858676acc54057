import { useQueryClient } from "@tanstack/react-query";
import { type Answer, call } from "../../api/client.ts";
import { read } from "../../api/read.ts";
import { language } from "../../lib/language.ts";
import { useChange } from "../../ui/form/use-change.ts";
import { t } from "./texts.ts";

/** Something that was said. */
export type Message = Answer<"GET /assistant/conversations/{conversation_id}">["messages"][number];
/** One of the reader's conversations. */
export type Session = Answer<"GET /assistant/sessions">["sessions"][number];

const mostSessions = 50;

/** How much the site has asked this month. */
export const usageQuery = (site: string) => read("GET /lens/chat/usage", { query: { account_id: site } });

/** The user's conversations about the site. */
export const sessionsQuery = (site: string) =>
	read("GET /assistant/sessions", { query: { account_id: site, limit: mostSessions } });

/** One conversation. */
export const conversationQuery = (site: string, id: string) =>
	read("GET /assistant/conversations/{conversation_id}", {
		path: { conversation_id: id },
		query: { account_id: site },
	});

interface Asked {
	readonly message: string;
	/** Undefined begins a conversation. */
	readonly conversation: string | undefined;
}

/** Asks, and has the conversation ready when the answer is there; its id. */
export function useAsk(site: string) {
	const queries = useQueryClient();
	return useChange({
		run: async ({ message, conversation }: Asked) => {
			const body = { message, account_id: site, language, conversation_id: conversation ?? null };
			const { conversation_id: id } = await call("POST /assistant/chat", { body });
			await queries.fetchQuery({ ...conversationQuery(site, id), staleTime: 0 });
			return id;
		},
		stale: ["GET /assistant/sessions", "GET /lens/chat/usage"],
	});
}

/** Removes a conversation. */
export const useRemoval = (site: string) =>
	useChange({
		run: ({ id }: Pick<Session, "id">) =>
			call("DELETE /assistant/conversations/{conversation_id}", {
				path: { conversation_id: id },
				query: { account_id: site },
			}),
		stale: ["GET /assistant/sessions"],
		done: () => t.removed,
	});
