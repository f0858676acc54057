import { useEffect, useLayoutEffect } from "react";

const titleOf = (parts: readonly (string | undefined)[]): string => {
	const named = parts.filter((part) => part !== undefined && part !== "").join(" · ");
	return named === "" ? "Footfall" : `${named} – Footfall`;
};

/** Names the window after its screen: `useTitle("Report", "Shop")` is `Report · Shop – Footfall`. */
export function useTitle(...parts: readonly (string | undefined)[]): void {
	const title = titleOf(parts);
	// The window's title is outside of React.
	useEffect(() => {
		document.title = title;
	}, [title]);
}

/** The same for a frame: it comes first, so that the screen in it may say it more precisely. */
export function useFrameTitle(...parts: readonly (string | undefined)[]): void {
	const title = titleOf(parts);
	// The window's title is outside of React.
	useLayoutEffect(() => {
		document.title = title;
	}, [title]);
}
