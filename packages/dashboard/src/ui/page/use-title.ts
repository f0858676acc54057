import { useEffect } from "react";

/** Names the window after its screen: `useTitle("Report", "Shop")` is `Report · Shop – Footfall`. */
export function useTitle(...parts: readonly (string | undefined)[]): void {
	const named = parts.filter((part) => part !== undefined && part !== "").join(" · ");
	// The window's title is outside of React.
	useEffect(() => {
		document.title = named === "" ? "Footfall" : `${named} – Footfall`;
	}, [named]);
}
