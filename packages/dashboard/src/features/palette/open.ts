import { useEffect } from "react";

/** Ctrl K or ⌘ K works in fields too: it has no other meaning, and works before the palette is loaded. */
export function usePaletteKey(): void {
	// The keyboard is outside of React.
	useEffect(() => {
		const onKeyDown = (event: KeyboardEvent) => {
			const isPalette = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey);
			if (!isPalette || event.shiftKey || event.altKey || document.querySelector("dialog[open]") !== null) return;
			event.preventDefault();
			openPalette();
		};
		addEventListener("keydown", onKeyDown);
		return () => removeEventListener("keydown", onKeyDown);
	}, []);
}

/** The open dialog: search, shortcuts or none. */
export type Opened = "search" | "help" | undefined;

let opened: Opened;
const listeners = new Set<() => void>();

/** Opens one of them, or closes it. */
export function open(next: Opened): void {
	opened = next;
	for (const listener of listeners) listener();
}

export const openPalette = (): void => open("search");
export const openHelp = (): void => open("help");

/** For `useSyncExternalStore`. */
export const isOpen = (): Opened => opened;

export function subscribe(listener: () => void): () => void {
	listeners.add(listener);
	return () => listeners.delete(listener);
}
