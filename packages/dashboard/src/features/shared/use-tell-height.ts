import { type RefObject, useEffect } from "react";

/** Message to an embedding page, so that it can adjust the height of the frame. */
interface HeightMessage {
	readonly type: "footfall:height";
	/** CSS pixels. */
	readonly height: number;
}

/** The page around this one, where it is one of those that may know; all of those where the browser does not tell. */
function readersOf(origins: readonly string[]): readonly string[] {
	// Firefox does not know it.
	const ancestors = (location as { readonly ancestorOrigins?: DOMStringList }).ancestorOrigins;
	const parent = ancestors?.[0] ?? (URL.canParse(document.referrer) ? new URL(document.referrer).origin : undefined);
	return parent === undefined ? origins : [...origins, location.origin].filter((origin) => origin === parent);
}

/** Reports the height of an element to the embedding page, to its origin only, whenever it changes. */
export function useTellHeight(element: RefObject<HTMLElement | null>, origins: readonly string[]): void {
	// Sizes and other pages are outside of React.
	useEffect(() => {
		if (element.current === null || parent === window || origins.length === 0) return;
		const readers = readersOf(origins);
		const observer = new ResizeObserver(([entry]) => {
			if (entry === undefined) return;
			const message: HeightMessage = { type: "footfall:height", height: Math.ceil(entry.target.clientHeight) };
			for (const origin of readers) parent.postMessage(message, origin);
		});
		observer.observe(element.current);
		return () => observer.disconnect();
	}, [element, origins]);
}
