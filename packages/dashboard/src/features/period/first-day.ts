import { baselineOf } from "../../ui/change/baseline.ts";
import { useReport, useSite } from "../site/index.ts";

/** A day before any data: in a comparison with it, the answer tells the site's first day with data, imports included. */
const longAgo = "1970-01-01";

/** The site's first day with data; undefined without any, and until it is known. */
export function useFirstDay(): { readonly first: string | undefined; readonly isKnown: boolean } {
	const { data } = useReport("GET /stats/overview", {
		site_id: useSite().id,
		period: "today",
		series: ["entrances"],
		compare: "custom",
		compare_start: longAgo,
		compare_end: longAgo,
	});
	return { first: baselineOf(data), isKnown: data !== undefined };
}
