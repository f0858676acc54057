import { texts } from "../../lib/language.ts";
import { Button } from "../button/button.tsx";

const t = texts({
	en: { edit: "Edit", pause: "Pause", resume: "Resume", remove: "Delete", paused: "Paused" },
	es: { edit: "Editar", pause: "Pausar", resume: "Reanudar", remove: "Eliminar", paused: "En pausa" },
});

/** The state of a record that can be paused. */
export const pausedState = (isActive: boolean) => (isActive ? undefined : { text: t.paused, tone: "warn" as const });

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
