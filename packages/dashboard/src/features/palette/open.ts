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
