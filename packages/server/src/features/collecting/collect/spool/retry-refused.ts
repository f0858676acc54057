import type { EventStore } from "../../../../platform/event-store/event-store.ts";
import type { Log } from "../../../../platform/log/log.ts";
import type { RefusedFolder } from "./refused-folder.ts";
import { rowError } from "./retry.ts";

interface RetryDeps {
	readonly refused: RefusedFolder;
	readonly store: Pick<EventStore, "insert">;
	readonly log: Log;
	readonly onStored: () => void;
}

/**
 * Retries rows that an operator marked, under their original token, so that they count once however often this happens.
 * Rows refused again wait for the operator. Throws temporary failures.
 */
export async function retryRefused({ refused, store, log, onStored }: RetryDeps): Promise<void> {
	for (const name of await refused.marked()) {
		const content = await refused.read(name);
		if (content === undefined) {
			log.error({ file: name }, "a file of rejected rows is damaged");
			await refused.unmark(name);
			continue;
		}
		const { table, columns, token, rows } = content.rows;
		try {
			await store.insert({ table, columns, tsv: content.tsv, deduplicationToken: token });
		} catch (error) {
			const refusal = rowError(error);
			if (refusal === undefined) throw error;
			log.error({ file: name, rows, error: refusal }, "the event store rejects these rows again");
			await refused.unmark(name);
			continue;
		}
		await refused.drop(name);
		log.info({ rows }, "rejected rows are now in the event store");
		onStored();
	}
}
