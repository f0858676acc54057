import { type ReactNode, useLayoutEffect, useRef } from "react";

interface ScrollerProps {
	/** Names the part for screen readers, where nothing in it does. */
	readonly label?: string;
	/** Says how large it may become and where it scrolls. */
	readonly className?: string | undefined;
	readonly children: ReactNode;
}

/**
 * A part with its own scrollbar. It is a stop of the Tab key, so that the arrow keys scroll it, unless all of its
 * content is visible.
 */
export function Scroller({ label, className, children }: ScrollerProps) {
	const ref = useRef<HTMLElement>(null);
	// Sizes are outside of React: the stop is there in the frame in which the part scrolls, without another rendering.
	useLayoutEffect(() => {
		const part = ref.current;
		if (part === null) return;
		const observer = new ResizeObserver(() => {
			const scrolls = part.scrollWidth > part.clientWidth + 1 || part.scrollHeight > part.clientHeight + 1;
			if (scrolls) part.tabIndex = 0;
			else part.removeAttribute("tabindex");
		});
		for (const one of [part, ...part.children]) observer.observe(one);
		return () => observer.disconnect();
	});
	return (
		<section ref={ref} aria-label={label} className={className}>
			{children}
		</section>
	);
}
