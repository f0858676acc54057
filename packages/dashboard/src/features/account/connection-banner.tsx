import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState, useSyncExternalStore } from "react";
import { asFailure } from "../../lib/failure.ts";
import { isAnswering as isServerAnswering } from "../../lib/is-answering.ts";
import styles from "./banners.module.css";
import { t } from "./texts.ts";

const knockEveryMs = 4_000;

/** Shows that the service does not answer. Loaded from the start: its script could not be loaded then. */
export function ConnectionBanner() {
	const isOnline = useSyncExternalStore(subscribeOnline, () => navigator.onLine);
	const isAnswering = useAnswering();
	return (
		<div role="status">
			{(!isOnline || !isAnswering) && <p className={styles.banner}>{isOnline ? t.unreachable : t.offline}</p>}
		</div>
	);
}

function subscribeOnline(changed: () => void): () => void {
	addEventListener("online", changed);
	addEventListener("offline", changed);
	return () => {
		removeEventListener("online", changed);
		removeEventListener("offline", changed);
	};
}

/**
 * False from a request without an answer until the server answers again; the queries of the screen are then repeated.
 */
function useAnswering(): boolean {
	const queries = useQueryClient();
	const [isAnswering, setIsAnswering] = useState(true);
	// The answers of all questions are outside of this component.
	useEffect(
		() =>
			queries.getQueryCache().subscribe(({ query }) => {
				// Already the first of several attempts tells.
				const reason = query.state.fetchFailureReason;
				if (reason !== null && asFailure(reason).code === "offline") setIsAnswering(false);
			}),
		[queries],
	);
	// So is the server.
	useEffect(() => {
		if (isAnswering) return;
		const timer = setInterval(async () => {
			if (!(await isServerAnswering())) return;
			setIsAnswering(true);
			void queries.invalidateQueries();
		}, knockEveryMs);
		return () => clearInterval(timer);
	}, [isAnswering, queries]);
	return isAnswering;
}
