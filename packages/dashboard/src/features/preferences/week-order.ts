import { useQuery } from "@tanstack/react-query";
import { isShared } from "../../api/shared.ts";
import { weekdays } from "../../lib/format.ts";
import { preferencesQuery } from "./preferences.ts";

const firstDays = { monday: 0, saturday: 5, sunday: 6 } as const;

/** Weekdays in the order in which the reader's week has them; 0 is Monday. Until that is known they begin with Monday. */
export function useWeekOrder(): { readonly order: readonly number[]; readonly isKnown: boolean } {
	// Readers of a share link have no account, and so none.
	const { data, isPending } = useQuery({ ...preferencesQuery, enabled: !isShared });
	const first = firstDays[data?.week_start ?? "monday"];
	return { order: weekdays.map((_, day) => (first + day) % weekdays.length), isKnown: isShared || !isPending };
}
