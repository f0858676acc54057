import { timestamp } from "../lib/timestamp.ts";

/** Envelopes of answers that were not sent yet. */
const unstamped = new WeakSet<object>();

/** The success envelope around an answer; its timestamp is set from the app's clock when the answer is sent. */
export function success<T>(data: T, meta: Record<string, unknown> = {}) {
	const body = { success: true, data, meta, timestamp: "" };
	unstamped.add(body);
	return body;
}

/** Sets the timestamp of a success envelope; anything else passes unchanged. */
export function stampTimestamp(payload: unknown, nowMs: number): unknown {
	if (Object(payload) === payload && unstamped.has(payload as object))
		Object.assign(payload as object, { timestamp: timestamp(nowMs) });
	return payload;
}

/** The paginated envelope around the rows of one page; `page` counts from 1. */
export function pageOf<Row>(rows: Row[], of: { total: number; page: number; pageSize: number }) {
	return {
		data: rows,
		total: of.total,
		page: of.page,
		page_size: of.pageSize,
		has_next: rows.length > 0 && of.page * of.pageSize < of.total,
		has_prev: of.page > 1,
	};
}
