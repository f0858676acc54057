import { useEffect, useState } from "react";

/** A value once it has been stable for a while, so that typing does not cause a request for each letter. */
export function useRested<T>(value: T, ms: number): T {
	const [rested, setRested] = useState(value);
	// A clock is outside of React.
	useEffect(() => {
		const timer = setTimeout(() => setRested(value), ms);
		return () => clearTimeout(timer);
	}, [value, ms]);
	return rested;
}
