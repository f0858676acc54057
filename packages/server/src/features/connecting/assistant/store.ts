import { type Row, tables } from "../../../../migrations/metadata/tables/index.ts";
import { tableOf } from "../../../../migrations/metadata/tables/table-of.ts";
import { DAY_MS } from "../../../platform/lib/durations.ts";
import { inChunks } from "../../../platform/metadata/in-chunks.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { ChangeDeps } from "../../auditing/audit-log/index.ts";
import type { Forgetting } from "../../tenancy/data-keeping/index.ts";

export type MessageRow = Row<"assistant_messages">;

/** User and site of conversations. */
export interface Talker {
	readonly siteId: string;
	readonly userId: number;
}

export const conversations = tableOf("assistant_conversations");
const messages = tableOf("assistant_messages");
const deletions = tableOf("data_deletions");

const ofTalker = ({ siteId, userId }: Talker) => ({ site_id: siteId, user_id: userId });

/** Conversations, the last answered first, with how many messages they have. */
export async function listConversations(metadata: Metadata, talker: Talker, limit: number) {
	const rows = await tables(metadata)
		.selectFrom("assistant_conversations")
		.where((conversation) => conversation.and(ofTalker(talker)))
		.selectAll()
		.select((query) =>
			query
				.selectFrom("assistant_messages")
				.whereRef("assistant_messages.conversation_id", "=", "assistant_conversations.id")
				.select((message) => message.fn.countAll<number>().as("count"))
				.as("messages"),
		)
		.orderBy("updated_at", "desc")
		.orderBy("id")
		.limit(limit)
		.execute();
	return rows.map((row) => ({ ...row, messages: Number(row.messages) }));
}

export const countConversations = (metadata: Metadata, talker: Talker): Promise<number> =>
	conversations.count(metadata, ofTalker(talker));

export const findConversation = (metadata: Metadata, talker: Talker, id: string) =>
	conversations.find(metadata, { ...ofTalker(talker), id });

export const messagesOf = (metadata: Metadata, conversationId: string): Promise<MessageRow[]> =>
	messages.list(metadata, { conversation_id: conversationId }, "id");

export async function insertExchange(
	metadata: Metadata,
	conversationId: string,
	exchange: { question: string; answer: string; results: string; askedAt: number; answeredAt: number },
): Promise<void> {
	const { question, answer, results, askedAt, answeredAt } = exchange;
	const of = { conversation_id: conversationId };
	await tables(metadata)
		.insertInto("assistant_messages")
		.values([
			{ ...of, role: "user", content: question, results: null, created_at: askedAt },
			{ ...of, role: "assistant", content: answer, results, created_at: answeredAt },
		])
		.execute();
}

async function dropConversations(metadata: Metadata, rows: readonly { readonly id: string }[]): Promise<number> {
	const gone = await inChunks(rows, async (some) => {
		const ids = some.map(({ id }) => id);
		await messages.drop(metadata, { conversation_id: ids });
		return tables(metadata).deleteFrom("assistant_conversations").where("id", "in", ids).returning("id").execute();
	});
	return gone.length;
}

/** Removes a conversation of theirs; false when there is none. */
export const dropConversation = (metadata: Metadata, talker: Talker, id: string): Promise<boolean> =>
	metadata.transaction().execute(async (trx) => {
		const row = await findConversation(trx, talker, id);
		return row !== undefined && (await dropConversations(trx, [row])) === 1;
	});

/** Removes the oldest conversations of somebody beyond so many. */
export async function dropBeyond(metadata: Metadata, talker: Talker, most: number): Promise<void> {
	const surplus = { limit: 100, offset: most };
	const { rows } = await conversations.page(metadata, ofTalker(talker), ["updated_at desc", "id"], surplus);
	await dropConversations(metadata, rows);
}

/** True when rows of a site were deleted since a moment, by somebody who asked for it. */
export async function lostRowsSince(metadata: Metadata, siteId: string, since: number): Promise<boolean> {
	return (await deletions.find(metadata, { site_id: siteId, rows_deleted_at: { ">=": since } })) !== undefined;
}

/** How long a conversation is kept after its last answer. */
const KEPT_DAYS = 90;
/** Messages of a conversation; an answer is one, too. */
export const MESSAGES = 100;

/** Conversations that one transaction removes. */
const PORTION = 200;

/** Removes conversations that have not been used for 90 days; how many. */
export async function forgetOldConversations({ metadata, clock }: ChangeDeps): Promise<number> {
	const before = clock.now() - KEPT_DAYS * DAY_MS;
	let gone = 0;
	for (;;) {
		const some = await metadata.transaction().execute(async (trx) => {
			const unused = tables(trx).selectFrom("assistant_conversations").select("id").where("updated_at", "<", before);
			return dropConversations(trx, await unused.limit(PORTION).execute());
		});
		gone += some;
		if (some < PORTION) return gone;
	}
}

/**
 * Removes conversations about a site whose days were deleted: their answers tell of any days. Where days end because the site
 * keeps them no longer, those go that were last used on such a day.
 */
export async function forgetConversationsOf(
	{ metadata }: { readonly metadata: Metadata },
	{ deletionId, site, period, rowsDeletedAt }: Omit<Forgetting, "days">,
): Promise<true> {
	const isRetention = deletionId === 0;
	await metadata.transaction().execute(async (trx) => {
		const last = isRetention ? { updated_at: { "<": period.until } } : { created_at: { "<=": rowsDeletedAt } };
		await dropConversations(trx, await conversations.list(trx, { site_id: site.id, ...last }));
	});
	return true;
}
