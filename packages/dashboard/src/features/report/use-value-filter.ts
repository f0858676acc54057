import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef } from "react";
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

/** Filters by values of a field: what a click does, and asking ahead while the pointer rests. */
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
			// What was open above the report has done its work.
			change({ f: withValue(f, field, value, way), panel: undefined, sort: undefined, q: undefined, page: undefined });
		},
		/** Handlers for the element that filters by a value when clicked. */
		aheadOf: (value: string) => {
			const start = () => field !== undefined && ahead.start(withValue(f, field, value));
			return { onPointerEnter: start, onFocus: start, onPointerLeave: ahead.stop, onBlur: ahead.stop };
		},
	};
}

/** What was asked ahead last, by all lists of the screen. */
let askedAhead: readonly QueryKey[] = [];

/** Asks all that the screen shows with other filters, once the pointer has come to rest; one value at a time. */
function useAskAhead() {
	const client = useQueryClient();
	const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
	// What was meant to be asked later must not outlive the component.
	useEffect(() => () => clearTimeout(timer.current), []);
	return useMemo(() => {
		const ask = (f: readonly string[]) => {
			for (const queryKey of askedAhead) void client.cancelQueries({ queryKey, exact: true, type: "inactive" });
			const asked: QueryKey[] = [];
			for (const { queryKey } of client.getQueryCache().findAll({ type: "active" })) {
				const [route, input] = queryKey as readonly [string, object?];
				if (!route.includes(" /stats/") || route.includes("/live") || input === undefined) continue;
				const query = report(route as Report, withFilters(input, f) as ReportInput<Report>);
				asked.push(query.queryKey);
				void client.prefetchQuery(query);
			}
			askedAhead = asked;
		};
		const stop = () => clearTimeout(timer.current);
		const start = (f: readonly string[]) => {
			stop();
			if (savesData()) return;
			timer.current = setTimeout(() => ask(f), restMs);
		};
		return { start, stop };
	}, [client]);
}

/** True when the reader asked for little traffic. */
const savesData = (): boolean =>
	"connection" in navigator && (navigator.connection as { saveData?: boolean }).saveData === true;
