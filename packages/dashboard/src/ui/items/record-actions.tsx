import { texts } from "../../lib/language.ts";
import { Button } from "../button/button.tsx";
import type { RecordChanges } from "../form/use-records.ts";
import { Item } from "./items.tsx";

const t = texts({
	en: { edit: "Edit", pause: "Pause", resume: "Resume", remove: "Delete", paused: "Paused" },
	es: { edit: "Editar", pause: "Pausar", resume: "Reanudar", remove: "Eliminar", paused: "En pausa" },
});

const pausedState = (isActive: boolean) => (isActive ? undefined : { text: t.paused, tone: "warn" as const });

interface RecordActionsProps {
	/** Tells the buttons of one record from those of another. */
	readonly name: string;
	readonly isActive: boolean;
	readonly isBusy: boolean;
	readonly onEdit: () => void;
	readonly onToggle: () => void;
	readonly onRemove: () => void;
	/** Other words for pausing and resuming. */
	readonly pause?: string;
	readonly resume?: string;
}

/** Actions on a record that affects hits: edit, pause, delete. */
export function RecordActions({ name, isActive, isBusy, onEdit, onToggle, onRemove, ...words }: RecordActionsProps) {
	const toggle = isActive ? (words.pause ?? t.pause) : (words.resume ?? t.resume);
	return (
		<>
			<Button small aria-label={`${t.edit}: ${name}`} onClick={onEdit}>
				{t.edit}
			</Button>
			<Button small aria-label={`${toggle}: ${name}`} disabled={isBusy} onClick={onToggle}>
				{toggle}
			</Button>
			<Button small aria-label={`${t.remove}: ${name}`} disabled={isBusy} onClick={onRemove}>
				{t.remove}
			</Button>
		</>
	);
}

/** Properties of the row of a record in a list. */
export interface RecordRowProps<Row> {
	readonly row: Row;
	readonly mayWrite: boolean;
	readonly onEdit: () => void;
}

interface RecordItemProps<Row> extends RecordRowProps<Row> {
	/** Tells the buttons of one record from those of another. */
	readonly name: string;
	readonly title?: string;
	readonly facts: string;
	readonly changes: Omit<RecordChanges<Row, { readonly is_active?: boolean }>, "add">;
}

/** A record that can be edited, paused and deleted. */
export const RecordItem = <Row extends { readonly is_active: boolean }>(props: RecordItemProps<Row>) => {
	const { row, mayWrite, onEdit, name, title = name, facts, changes } = props;
	return (
		<Item
			title={title}
			facts={facts}
			state={pausedState(row.is_active)}
			actions={
				mayWrite && (
					<RecordActions
						name={name}
						isActive={row.is_active}
						isBusy={changes.change.isBusy || changes.remove.isBusy}
						onEdit={onEdit}
						onToggle={() => changes.change.run({ row, to: { is_active: !row.is_active } })}
						onRemove={() => changes.remove.run(row)}
					/>
				)
			}
		/>
	);
};
