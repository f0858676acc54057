import { useEffect, useState } from "react";

const laterMs = 1_200;

/** True some time after the component has come: what is not needed for the first figures is asked for after them. */
export function useLater(): boolean {
	const [isLater, setIsLater] = useState(false);
	// A clock is outside of React.
	useEffect(() => {
		const timer = setTimeout(() => setIsLater(true), laterMs);
		return () => clearTimeout(timer);
	}, []);
	return isLater;
}
