import { useEffect, useState } from "react";

const laterMs = 1_200;

/** True some time after mounting; delays requests that the first figures do not need. */
export function useLater(): boolean {
	const [isLater, setIsLater] = useState(false);
	// A clock is outside of React.
	useEffect(() => {
		const timer = setTimeout(() => setIsLater(true), laterMs);
		return () => clearTimeout(timer);
	}, []);
	return isLater;
}
