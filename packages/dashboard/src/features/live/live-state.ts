/** A hit as the stream tells it. */
export interface LiveHit {
	readonly at: string;
	readonly kind: "pageview" | "conversion" | "microconversion";
	readonly path: string;
	readonly country: string;
	readonly device: string;
	readonly source: string;
	readonly event_type?: string;
	readonly amount?: number;
}

/** A hit with a number that tells it from its like. */
export interface NumberedHit extends LiveHit {
	readonly number: number;
}

/** Live data of a site and the state of the connection. */
export interface LiveState {
	readonly connection: "connecting" | "connected" | "waiting" | "refused";
	/** Visits now; undefined before the first word. */
	readonly active: number | undefined;
	/** Newest first. */
	readonly hits: readonly NumberedHit[];
	/** Hits that were not told one by one. */
	readonly skipped: number;
	/** Moment of the latest word. */
	readonly heardAt: number | undefined;
	/** Moment of the next attempt, while waiting. */
	readonly retryAt: number | undefined;
	/** Grows with every word: a sign that figures have changed. */
	readonly words: number;
}

/** Events of the connection. */
export type LiveEvent =
	| { readonly kind: "connecting" }
	| { readonly kind: "waiting"; readonly retryAt: number }
	| { readonly kind: "refused" }
	| { readonly kind: "now"; readonly active: number; readonly at: number }
	| { readonly kind: "hits"; readonly hits: readonly LiveHit[]; readonly at: number }
	| { readonly kind: "skipped"; readonly count: number; readonly at: number };

/** Hits that are shown. */
export const mostHits = 50;

export const noState: LiveState = {
	connection: "connecting",
	active: undefined,
	hits: [],
	skipped: 0,
	heardAt: undefined,
	retryAt: undefined,
	words: 0,
};

/** The state after an event. */
export function after(state: LiveState, event: LiveEvent): LiveState {
	if (event.kind === "connecting") return { ...state, connection: "connecting", retryAt: undefined };
	if (event.kind === "refused") return { ...state, connection: "refused", retryAt: undefined };
	if (event.kind === "waiting") return { ...state, connection: "waiting", retryAt: event.retryAt };
	const heard = {
		...state,
		connection: "connected",
		heardAt: event.at,
		retryAt: undefined,
		words: state.words + 1,
	} as const;
	if (event.kind === "now") return { ...heard, active: event.active };
	if (event.kind === "skipped") return { ...heard, skipped: state.skipped + event.count };
	return { ...heard, hits: withNew(state.hits, event.hits) };
}

/** The new ones on top, by their time: a question may tell hits of several seconds at once. */
function withNew(known: readonly NumberedHit[], fresh: readonly LiveHit[]): readonly NumberedHit[] {
	const last = known.reduce((most, { number }) => Math.max(most, number), 0);
	const numbered = fresh.map((hit, at) => ({ ...hit, number: last + 1 + at }));
	return [...numbered.toReversed(), ...known]
		.toSorted((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0))
		.slice(0, mostHits);
}
