import { type RefObject, useEffect, useRef, useState } from "react";

/** True once an element is in the viewport or at most `margin` CSS pixels from it; parts far below request nothing. */
export function useNear<T extends Element>(margin = 400): readonly [RefObject<T | null>, boolean] {
	const ref = useRef<T>(null);
	const [isNear, setIsNear] = useState(false);
	// The screen is outside of React.
	useEffect(() => {
		if (ref.current === null || isNear) return;
		const observer = new IntersectionObserver(
			(entries) => {
				if (entries.some((entry) => entry.isIntersecting)) setIsNear(true);
			},
			{ rootMargin: `${margin}px` },
		);
		observer.observe(ref.current);
		return () => observer.disconnect();
	}, [isNear, margin]);
	return [ref, isNear];
}
