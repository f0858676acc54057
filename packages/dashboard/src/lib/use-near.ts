import { type RefObject, useEffect, useRef, useState } from "react";

/** True once an element is in or near the viewport; parts far below request nothing. */
export function useNear<T extends Element>(): readonly [RefObject<T | null>, boolean] {
	const ref = useRef<T>(null);
	const [isNear, setIsNear] = useState(false);
	// The screen is outside of React.
	useEffect(() => {
		if (ref.current === null || isNear) return;
		const observer = new IntersectionObserver(
			(entries) => {
				if (entries.some((entry) => entry.isIntersecting)) setIsNear(true);
			},
			{ rootMargin: "400px" },
		);
		observer.observe(ref.current);
		return () => observer.disconnect();
	}, [isNear]);
	return [ref, isNear];
}
