import { type RefObject, useLayoutEffect, useState } from "react";

/** How wide an element is in pixels, as it changes; 0 before it is on the page. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
	const [width, setWidth] = useState(0);
	// The layout is outside of React; measured before the first paint, so that nothing moves.
	useLayoutEffect(() => {
		if (element.current === null) return;
		setWidth(Math.floor(element.current.clientWidth));
		const observer = new ResizeObserver(([entry]) => entry && setWidth(Math.floor(entry.contentRect.width)));
		observer.observe(element.current);
		return () => observer.disconnect();
	}, [element]);
	return width;
}
