import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useSyncExternalStore } from "react";
import { read } from "../../api/read.ts";
import { reportQuery, useSite, useSiteSearch } from "../site/index.ts";
import { type LiveChoice, lineOf } from "./live-line.ts";
import type { LiveState } from "./live-state.ts";

/** Figures are asked for again no more often than this. */
const pauseMs = 1_500;
/** Visits end also while nothing is heard. */
const idleMs = 30_000;

/** The hits that the address chooses of the site: live figures know no period. */
export function useLiveChoice(): LiveChoice {
	const site = useSite();
	const { segment, segment_filters: filters } = reportQuery(site.id, useSiteSearch());
	return {
		site_id: site.id,
		...(segment !== undefined && { segment }),
		...(filters !== undefined && { segment_filters: filters }),
	};
}

/** The live state, updated by the stream. */
export function useLive(choice: LiveChoice): LiveState {
	const line = lineOf(choice);
	return useSyncExternalStore(line.subscribe, () => line.state);
}

/** The lists and minutes of now: asked for again when the stream has said something. */
export function useLiveFigures(choice: LiveChoice, words: number, isPaused = false) {
	const query = useQuery({
		...read("GET /stats/live", { query: choice }),
		staleTime: 1_000,
		refetchInterval: isPaused ? false : idleMs,
		placeholderData: keepPreviousData,
	});
	const { refetch } = query;
	const askedAt = useRef(0);
	// The stream is outside of React: each of its words is a reason to ask, but not more often than one can look.
	useEffect(() => {
		if (words === 0 || isPaused) return;
		const wait = Math.max(0, askedAt.current + pauseMs - Date.now());
		const timer = setTimeout(() => {
			askedAt.current = Date.now();
			void refetch();
		}, wait);
		return () => clearTimeout(timer);
	}, [words, isPaused, refetch]);
	return query;
}
