import { ArrowDown, ArrowUp, GripVertical } from "lucide-react";
import { type DragEvent, useEffect, useRef, useState } from "react";
import { texts } from "../../lib/language.ts";
import { Button } from "../button/button.tsx";
import styles from "./reorder.module.css";

const t = texts({
	en: {
		drag: "Drag to reorder",
		up: (name: string) => `Move ${name} up`,
		down: (name: string) => `Move ${name} down`,
	},
	es: {
		drag: "Arrastra para reordenar",
		up: (name: string) => `Subir ${name}`,
		down: (name: string) => `Bajar ${name}`,
	},
});

/** Rows that are dragged to another place: `row` makes one a place to drop on, `grip` is what it is held by. */
export function useDragging(onMove: (from: number, to: number) => void) {
	const [dragged, setDragged] = useState<number>();
	return {
		dragged,
		row: (at: number) => ({
			onDragOver: (event: DragEvent) => event.preventDefault(),
			onDrop: (event: DragEvent) => {
				event.preventDefault();
				if (dragged !== undefined && dragged !== at) onMove(dragged, at);
				setDragged(undefined);
			},
		}),
		grip: (at: number) => ({ onDragStart: () => setDragged(at), onDragEnd: () => setDragged(undefined) }),
	};
}

/** Drag handle of a row. {@link MoveButtons} do the same by keyboard. */
export const Grip = (drag: { readonly onDragStart: () => void; readonly onDragEnd: () => void }) => (
	<span {...drag} className={styles.grip} title={t.drag} draggable>
		<GripVertical size={16} aria-hidden="true" />
	</span>
);

interface MoveButtonsProps {
	/** The moved item: “step 2”. */
	readonly name: string;
	readonly at: number;
	readonly count: number;
	readonly onMove: (to: number) => void;
}

/** Two buttons that move a row by one place; the focus goes along with the row. */
export function MoveButtons({ name, at, count, onMove }: MoveButtonsProps) {
	const up = useRef<HTMLButtonElement>(null);
	const down = useRef<HTMLButtonElement>(null);
	const pressed = useRef<"up" | "down">(null);
	// The browser takes the focus away from what changes its place; at an end, the other button has it.
	useEffect(() => {
		if (pressed.current === null) return;
		const wanted = at === 0 || (pressed.current === "down" && at < count - 1) ? down : up;
		wanted.current?.focus();
		pressed.current = null;
	}, [at, count]);
	const press = (way: "up" | "down") => {
		pressed.current = way;
		onMove(way === "up" ? at - 1 : at + 1);
	};
	return (
		<>
			<Button ref={up} small icon look="quiet" aria-label={t.up(name)} disabled={at === 0} onClick={() => press("up")}>
				<ArrowUp size={16} aria-hidden="true" />
			</Button>
			<Button
				ref={down}
				small
				icon
				look="quiet"
				aria-label={t.down(name)}
				disabled={at === count - 1}
				onClick={() => press("down")}
			>
				<ArrowDown size={16} aria-hidden="true" />
			</Button>
		</>
	);
}
