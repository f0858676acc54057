import { useEffect, useState } from "react";

/** A value once it has stayed the same for a while: what is typed is not asked for letter by letter. */
export function useRested<T>(value: T, ms: number): T {
	const [rested, setRested] = useState(value);
	// A clock is outside of React.
	useEffect(() => {
		const timer = setTimeout(() => setRested(value), ms);
		return () => clearTimeout(timer);
	}, [value, ms]);
	return rested;
}
