import { hashKey, type QueryKey, useQueryClient } from "@tanstack/react-query";
import { type PointerEvent, useEffect, useMemo, useRef } from "react";
import type { Report, ReportInput } from "../../api/batch.ts";
import {
	type FilterField,
	isChosen,
	mayFilterBy,
	report,
	useChangeSearch,
	useSiteSearch,
	withFilters,
	withValue,
} from "../site/index.ts";

/** How long a pointer rests on a value before its figures are asked for. */
const restMs = 80;

/**
 * Filters by values of a field: the action of a click, and prefetching while the pointer rests or the button is
 * pressed.
 */
export function useValueFilter(wanted: FilterField | undefined) {
	const field = wanted !== undefined && mayFilterBy(wanted) ? wanted : undefined;
	const { f } = useSiteSearch();
	const change = useChangeSearch();
	const ahead = useAskAhead();
	return {
		/** False where a click does nothing. */
		isOffered: field !== undefined,
		isChosen: (value: string) => field !== undefined && isChosen(f, field, value),
		choose: (value: string, way: "include" | "exclude" = "include") => {
			if (field === undefined) return;
			// A filter closes the open panel.
			change({ f: withValue(f, field, value, way), panel: undefined, sort: undefined, q: undefined, page: undefined });
		},
		/** Handlers for the element that filters by a value when clicked. */
		aheadOf: (value: string) => {
			const start = () => field !== undefined && ahead.start(withValue(f, field, value));
			const press = ({ button, pointerType, altKey }: PointerEvent) => {
				// A finger that is put down may be about to scroll.
				if (field !== undefined && button === 0 && pointerType !== "touch")
					ahead.ask(withValue(f, field, value, altKey ? "exclude" : "include"));
			};
			// A row that moves under a pointer that rests is entered, and not pointed at.
			return {
				onPointerMove: start,
				onFocus: start,
				onPointerDown: press,
				onPointerLeave: ahead.stop,
				onBlur: ahead.stop,
			};
		},
	};
}

const isReport = ({ queryKey }: { readonly queryKey: QueryKey }): boolean =>
	/ \/stats\/(?!live)/.test(String(queryKey[0]));
const shown = { type: "active", predicate: isReport } as const;

/** Asks all that the screen shows with other filters, at once or when the pointer has come to rest; for one value at a time. */
function useAskAhead() {
	const client = useQueryClient();
	const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
	// A pending prefetch must not outlive the component.
	useEffect(() => () => clearTimeout(timer.current), []);
	return useMemo(() => {
		const ask = (f: readonly string[]) => {
			const queries = client
				.getQueryCache()
				.findAll(shown)
				.map(({ queryKey: [route, input], meta }) => ({
					...report(route as Report, withFilters(input as object, f) as ReportInput<Report>, meta?.isUnseen),
					meta: { ...meta, isAhead: true },
				}));
			const wanted = queries.map(({ queryKey }) => hashKey(queryKey));
			void client.cancelQueries({
				type: "inactive",
				predicate: ({ meta, queryHash }) => meta?.isAhead === true && !wanted.includes(queryHash),
			});
			for (const query of queries) void client.prefetchQuery(query);
		};
		const stop = () => clearTimeout(timer.current);
		const start = (f: readonly string[]) => {
			stop();
			if (savesData()) return;
			// Visible queries come before prefetched ones.
			timer.current = setTimeout(() => (client.isFetching(shown) > 0 ? start(f) : ask(f)), restMs);
		};
		return { start, stop, ask };
	}, [client]);
}

/** True when the reader asked for little traffic. */
const savesData = (): boolean =>
	(navigator as { readonly connection?: { readonly saveData?: boolean } }).connection?.saveData === true;
