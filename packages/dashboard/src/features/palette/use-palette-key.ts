import { useEffect } from "react";
import { openPalette } from "./open.ts";

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
