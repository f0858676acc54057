import type { Static } from "typebox";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import { DAY_MS } from "../../../platform/lib/durations.ts";
import type { ListQuery } from "./schemas.ts";
import type { AuditFilter } from "./store.ts";

const isDay = (text: string): boolean => text.length === 10;

/** The filters of a request; throws `bad_request` when the time ends before it begins. */
export function parseFilter(query: Static<typeof ListQuery>): AuditFilter {
	const { from_date: from, to_date: to } = query;
	const fromMs = from === undefined ? undefined : Date.parse(from);
	const toMs = to === undefined ? undefined : Date.parse(to) + (isDay(to) ? DAY_MS - 1 : 0);
	if (fromMs !== undefined && toMs !== undefined && fromMs > toMs) {
		throw new ServiceError("bad_request", { message: "from_date must not be after to_date" });
	}
	return {
		...(query.action !== undefined && { action: query.action }),
		...(query.resource_type !== undefined && { resourceType: query.resource_type }),
		...(query.user_id !== undefined && { userId: query.user_id }),
		...(query.account_id !== undefined && { siteId: query.account_id }),
		...(fromMs !== undefined && { fromMs }),
		...(toMs !== undefined && { toMs }),
	};
}
