import { type Row, tables } from "../../../../migrations/metadata/tables/index.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import { DAY_MS } from "../../../platform/lib/durations.ts";
import { inChunks } from "../../../platform/metadata/in-chunks.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { Forgetting } from "../../tenancy/data-keeping/index.ts";
import { KEPT_DAYS } from "./bounds.ts";

export type ConversationRow = Row<"assistant_conversations">;
export type MessageRow = Row<"assistant_messages">;

/** User and site of conversations. */
export interface Talker {
	readonly siteId: string;
	readonly userId: number;
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

export const findConversation = (
	metadata: Metadata,
	talker: Talker,
	id: string,
): Promise<ConversationRow | undefined> =>
	ofTalker(metadata, talker).selectAll().where("id", "=", id).executeTakeFirst();

export const messagesOf = (metadata: Metadata, conversationId: string): Promise<MessageRow[]> =>
	tables(metadata)
		.selectFrom("assistant_messages")
		.selectAll()
		.where("conversation_id", "=", conversationId)
		.orderBy("id")
		.execute();

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
	const db = tables(metadata);
	const gone = await inChunks(rows, async (some) => {
		const ids = some.map(({ id }) => id);
		await db.deleteFrom("assistant_messages").where("conversation_id", "in", ids).execute();
		return db.deleteFrom("assistant_conversations").where("id", "in", ids).returning("id").execute();
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
	const rows = await ofTalker(metadata, talker)
		.select("id")
		.orderBy("updated_at", "desc")
		.orderBy("id")
		.offset(most)
		.limit(100)
		.execute();
	await dropConversations(metadata, rows);
}

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

/** Conversations that one transaction removes. */
const PORTION = 200;

/** Removes conversations that have not been used for 90 days; how many. */
export async function forgetOldConversations({
	metadata,
	clock,
}: {
	metadata: Metadata;
	clock: Clock;
}): Promise<number> {
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
		const ofSite = tables(trx).selectFrom("assistant_conversations").select("id").where("site_id", "=", site.id);
		const doomed = isRetention
			? ofSite.where("updated_at", "<", period.until)
			: ofSite.where("created_at", "<=", rowsDeletedAt);
		await dropConversations(trx, await doomed.execute());
	});
	return true;
}

/** Questions of a site in a month of its time zone. */
