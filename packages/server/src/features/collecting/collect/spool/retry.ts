import { ServiceError } from "../../../../platform/errors/service-error.ts";
import type { EventStore } from "../../../../platform/event-store/event-store.ts";
import { StoreFailure } from "../../../../platform/event-store/store-error.ts";
import type { Log } from "../../../../platform/log/log.ts";
import type { RefusedFolder } from "./refused-folder.ts";

/** The engine's errors that lie with rows: they are refused again, whatever the state of the store. All others may pass. */
const ROW_ERRORS: ReadonlySet<string> = new Set(
	[
		"ARGUMENT_OUT_OF_BOUND CANNOT_CONVERT_TYPE CANNOT_INSERT_NULL_IN_ORDINARY_COLUMN CANNOT_PARSE_BOOL",
		"CANNOT_PARSE_DATE CANNOT_PARSE_DATETIME CANNOT_PARSE_DOMAIN_VALUE_FROM_STRING CANNOT_PARSE_ESCAPE_SEQUENCE",
		"CANNOT_PARSE_INPUT_ASSERTION_FAILED CANNOT_PARSE_IPV4 CANNOT_PARSE_IPV6 CANNOT_PARSE_NUMBER",
		"CANNOT_PARSE_QUOTED_STRING CANNOT_PARSE_TEXT CANNOT_PARSE_UUID CANNOT_READ_ALL_DATA",
		"CANNOT_READ_ARRAY_FROM_TEXT CANNOT_READ_MAP_FROM_TEXT DECIMAL_OVERFLOW INCORRECT_DATA TOO_LARGE_ARRAY_SIZE",
		"TOO_LARGE_STRING_SIZE TYPE_MISMATCH UNKNOWN_ELEMENT_OF_ENUM VALUE_IS_OUT_OF_RANGE_OF_DATA_TYPE",
		"VIOLATED_CONSTRAINT",
	].flatMap((line) => line.split(" ")),
);

const WAITS_MS = [100, 250, 500, 1_000, 2_000, 5_000];

/** The engine's name of an error that lies with the rows themselves; undefined for every error that may pass. */
function rowError(error: unknown): string | undefined {
	if (!(error instanceof ServiceError) || error.code !== "database_error") return undefined;
	const name = error.cause instanceof StoreFailure ? error.cause.engineError : undefined;
	return name !== undefined && ROW_ERRORS.has(name) ? name : undefined;
}

/** Milliseconds to wait after so many failures in a row. */
export const waitAfter = (failures: number): number => WAITS_MS[Math.min(failures, WAITS_MS.length) - 1] ?? 0;

/** Inserts rows; the engine's error when it lies with them. Throws what may pass. */
export async function tryInsert(
	store: Pick<EventStore, "insert">,
	rows: Parameters<EventStore["insert"]>[0],
): Promise<string | undefined> {
	try {
		await store.insert(rows);
		return undefined;
	} catch (error) {
		const refusal = rowError(error);
		if (refusal === undefined) throw error;
		return refusal;
	}
}

/** Retries marked rows under their token, so that they count once. Rows refused again wait for the operator. Throws temporary failures. */
export async function retryRefused(
	refused: RefusedFolder,
	{ store, log }: { readonly store: Pick<EventStore, "insert">; readonly log: Log },
	onStored: () => void,
): Promise<void> {
	for (const name of await refused.marked()) {
		const content = await refused.read(name);
		if (content === undefined) {
			log.error({ file: name }, "a file of rejected rows is damaged");
			await refused.unmark(name);
			continue;
		}
		const { table, columns, token, rows } = content.rows;
		const refusal = await tryInsert(store, { table, columns, tsv: content.tsv, deduplicationToken: token });
		if (refusal === undefined) {
			await refused.drop(name);
			log.info({ rows }, "rejected rows are now in the event store");
			onStored();
		} else {
			log.error({ file: name, rows, error: refusal }, "the event store rejects these rows again");
			await refused.unmark(name);
		}
	}
}
