import { useEffect } from "react";
import { openPalette } from "./open.ts";

/** Ctrl K or ⌘ K works in fields too: it belongs to nobody else, and is heard before the palette has come. */
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
