import { useEffect, useRef } from "react";

/** A key and what it does. */
export interface Shortcut {
	/** As the browser names it, lower case: `t`, `?`, `escape`. */
	readonly key: string;
	/** For the help. */
	readonly label: string;
	readonly run: () => void;
	/** It belongs to an open dialog: all others rest as long as one stands above the screen. */
	readonly above?: true;
}

const active = new Set<() => readonly Shortcut[]>();
let isOn = true;

/** Turns single-key shortcuts on or off (WCAG 2.1.4). */
export function setShortcuts(on: boolean): void {
	isOn = on;
}

/** All shortcuts that are alive now, for the help. */
export const liveShortcuts = (): readonly Shortcut[] => [...active].flatMap((list) => list());

/** Shortcuts that live as long as the component. Those of the latest component win. */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
	const current = useRef(shortcuts);
	current.current = shortcuts;
	// The keyboard is outside of React.
	useEffect(() => {
		const list = () => current.current;
		active.add(list);
		return () => {
			active.delete(list);
		};
	}, []);
}

/** Keys belong to the element with the focus: a field, an open panel, the browser with its modifiers. */
function isElsewhere(event: KeyboardEvent): boolean {
	if (event.defaultPrevented || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return true;
	const target = event.target instanceof HTMLElement ? event.target : undefined;
	if (target?.closest("input, textarea, select, [contenteditable]")) return true;
	return document.querySelector("[popover]:popover-open") !== null;
}

addEventListener("keydown", (event) => {
	if (!isOn || isElsewhere(event)) return;
	const isAbove = document.querySelector("dialog[open]") !== null;
	const found = [...active]
		.reverse()
		.flatMap((list) => list())
		.find(({ key, above = false }) => key === event.key.toLowerCase() && above === isAbove);
	if (found === undefined) return;
	event.preventDefault();
	found.run();
});
