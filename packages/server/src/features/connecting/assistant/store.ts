import { type Row, tables } from "../../../../migrations/metadata/tables/index.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";

/** Conversations that one statement removes. */
const PORTION = 500;

/** A conversation as stored. */
export type ConversationRow = Row<"assistant_conversations">;
/** A message as stored. */
export type MessageRow = Row<"assistant_messages">;

/** User and site of conversations. */
export interface Talker {
	readonly siteId: string;
	readonly userId: number;
}

/** A question with its answer. */
export interface Exchange {
	readonly question: string;
	readonly answer: string;
	/** JSON. */
	readonly results: string;
	readonly askedAt: number;
	readonly answeredAt: number;
}

const ofTalker = (metadata: Metadata, { siteId, userId }: Talker) =>
	tables(metadata)
		.selectFrom("assistant_conversations")
		.where("assistant_conversations.site_id", "=", siteId)
		.where("assistant_conversations.user_id", "=", userId);

/** Conversations, the last answered first, with how many messages they have. */
export async function listConversations(metadata: Metadata, talker: Talker, limit: number) {
	const rows = await ofTalker(metadata, talker)
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

/** How many conversations somebody has about a site. */
export async function countConversations(metadata: Metadata, talker: Talker): Promise<number> {
	const { count } = await ofTalker(metadata, talker)
		.select((query) => query.fn.countAll<number>().as("count"))
		.executeTakeFirstOrThrow();
	return Number(count);
}

/** One conversation of theirs. */
export const findConversation = (
	metadata: Metadata,
	talker: Talker,
	id: string,
): Promise<ConversationRow | undefined> =>
	ofTalker(metadata, talker).selectAll().where("id", "=", id).executeTakeFirst();

/** Messages of a conversation, oldest first. */
export const messagesOf = (metadata: Metadata, conversationId: string): Promise<MessageRow[]> =>
	tables(metadata)
		.selectFrom("assistant_messages")
		.selectAll()
		.where("conversation_id", "=", conversationId)
		.orderBy("id")
		.execute();

/** Stores a new conversation. */
export async function insertConversation(metadata: Metadata, row: ConversationRow): Promise<void> {
	await tables(metadata).insertInto("assistant_conversations").values(row).execute();
}

/** Notes when a conversation was last answered; false when it is gone. Locks it until the transaction ends. */
export async function touchConversation(metadata: Metadata, id: string, nowMs: number): Promise<boolean> {
	const touched = await tables(metadata)
		.updateTable("assistant_conversations")
		.set({ updated_at: nowMs })
		.where("id", "=", id)
		.returning("id")
		.execute();
	return touched.length === 1;
}

/** Adds a question and its answer to a conversation. */
export async function insertExchange(metadata: Metadata, conversationId: string, exchange: Exchange): Promise<void> {
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

async function dropConversations(metadata: Metadata, ids: readonly string[]): Promise<number> {
	const db = tables(metadata);
	let gone = 0;
	for (let from = 0; from < ids.length; from += PORTION) {
		const some = ids.slice(from, from + PORTION);
		await db.deleteFrom("assistant_messages").where("conversation_id", "in", some).execute();
		const rows = await db.deleteFrom("assistant_conversations").where("id", "in", some).returning("id").execute();
		gone += rows.length;
	}
	return gone;
}

/** Removes a conversation of theirs; false when there is none. */
export const dropConversation = (metadata: Metadata, talker: Talker, id: string): Promise<boolean> =>
	metadata.transaction().execute(async (trx) => {
		const row = await findConversation(trx, talker, id);
		return row !== undefined && (await dropConversations(trx, [row.id])) === 1;
	});

/** Removes the oldest conversations of somebody beyond so many. */
export async function dropBeyond(metadata: Metadata, talker: Talker, most: number): Promise<void> {
	const rows = await ofTalker(metadata, talker)
		.select("id")
		.orderBy("updated_at", "desc")
		.orderBy("id")
		.offset(most)
		.limit(100)
		.execute();
	await dropConversations(
		metadata,
		rows.map(({ id }) => id),
	);
}

/** Removes conversations that were last answered before a moment, at most so many; how many those were. */
export const dropUnused = (metadata: Metadata, before: number, limit: number): Promise<number> =>
	metadata.transaction().execute(async (trx) => {
		const rows = await tables(trx)
			.selectFrom("assistant_conversations")
			.select("id")
			.where("updated_at", "<", before)
			.limit(limit)
			.execute();
		return dropConversations(
			trx,
			rows.map(({ id }) => id),
		);
	});

/** Removes the conversations about a site that began by a moment, or were last answered before one. */
export const dropOfSite = (
	metadata: Metadata,
	siteId: string,
	doomed: { readonly begunBy: number } | { readonly usedBefore: number },
): Promise<number> =>
	metadata.transaction().execute(async (trx) => {
		const ofSite = tables(trx).selectFrom("assistant_conversations").select("id").where("site_id", "=", siteId);
		const rows = await ("begunBy" in doomed
			? ofSite.where("created_at", "<=", doomed.begunBy)
			: ofSite.where("updated_at", "<", doomed.usedBefore)
		).execute();
		return dropConversations(
			trx,
			rows.map(({ id }) => id),
		);
	});

/** True when rows of a site were deleted since a moment, by somebody who asked for it. */
export async function lostRowsSince(metadata: Metadata, siteId: string, since: number): Promise<boolean> {
	const row = await tables(metadata)
		.selectFrom("data_deletions")
		.select("id")
		.where("site_id", "=", siteId)
		.where("rows_deleted_at", ">=", since)
		.limit(1)
		.executeTakeFirst();
	return row !== undefined;
}
