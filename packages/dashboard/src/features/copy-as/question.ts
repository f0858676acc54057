import { todayIn } from "../../lib/days.ts";
import { days as daysText } from "../../lib/format.ts";
import { comparedDays, daysOf, useSite, useSiteSearch } from "../site/index.ts";
import { t } from "./texts.ts";

/** A question to an assistant that reads the same figures, with the period and filters of the address. */
export function useQuestion(about: string): string {
	const site = useSite();
	const search = useSiteSearch();
	const days = daysOf(search, todayIn(site.timezone));
	const before = comparedDays(search, days);
	const conditions = [...(search.segment === undefined ? [] : [t.segment(search.segment)]), ...search.f];
	return [
		t.asks(about, site.name, site.id, daysText(days.from, days.to)),
		before && t.comparedTo(daysText(before.from, before.to)),
		conditions.length > 0 && t.underFilters(conditions.join(", ")),
		before === undefined ? t.wants : t.wantsChange,
	]
		.filter(Boolean)
		.join("");
}
