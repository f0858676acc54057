import { useForm } from "../../lib/use-form.ts";
import { useChange } from "./use-change.ts";

interface Records<Row, Fields> {
	/** Routes whose answers the changes touch: `GET /blocklist-ips`. */
	readonly stale: readonly string[];
	readonly create: (fields: Fields) => Promise<Row>;
	readonly write: (row: Row, fields: Partial<Fields>) => Promise<Row>;
	readonly drop: (row: Row) => Promise<unknown>;
	/** The fields that bring a record back as it was. */
	readonly fieldsOf: (row: Row) => Fields;
	readonly added: (row: Row) => string;
	readonly changed: (after: Row, before: Row) => string;
	readonly removed: (row: Row) => string;
}

/** Changes of the records of a collection, each of which can be taken back. */
export function useRecords<Row, Fields>({ stale, create, write, drop, fieldsOf, ...words }: Records<Row, Fields>) {
	return {
		add: useChange({ run: create, stale, done: words.added, undo: drop }),
		change: useChange({
			run: ({ row, to }: { readonly row: Row; readonly to: Partial<Fields> }) => write(row, to),
			stale,
			done: (after, { row }) => words.changed(after, row),
			undo: (after, { row }) => write(after, fieldsOf(row)),
		}),
		remove: useChange({
			run: drop,
			stale,
			done: (_, row) => words.removed(row),
			undo: (_, row) => create(fieldsOf(row)),
		}),
	};
}

/** Changes of a collection, as {@link useRecords} makes them. */
export type RecordChanges<Row, Fields> = ReturnType<typeof useRecords<Row, Fields>>;

interface RecordFormInput<Row, Fields> {
	readonly changes: Pick<RecordChanges<Row, Fields>, "add" | "change">;
	/** The record that is changed; a new one without it. */
	readonly row: Row | undefined;
	/** Names the draft among those of other collections. */
	readonly kind: string;
	readonly fieldsOf: (values: FormData) => Fields;
	readonly onDone: () => void;
}

/** The form of a new record or a changed one. */
export const useRecordForm = <Row extends { readonly id: number }, Fields>(input: RecordFormInput<Row, Fields>) => {
	const { changes, row, kind, fieldsOf, onDone } = input;
	return useForm(
		async (values) => {
			const to = fieldsOf(values);
			await (row === undefined ? changes.add.mutateAsync(to) : changes.change.mutateAsync({ row, to }));
			onDone();
		},
		{ draft: `${kind} ${row?.id ?? "new"}` },
	);
};
