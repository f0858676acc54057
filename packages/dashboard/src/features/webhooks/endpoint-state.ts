import type { Endpoint } from "./queries.ts";
import { t } from "./texts.ts";

/** How an endpoint stands, in a word and its colour. */
export interface EndpointState {
	readonly text: string;
	readonly tone: "good" | "bad" | "warn" | "muted";
}

const moment = (iso: string | null): number => (iso === null ? 0 : Date.parse(iso));

/** State of an endpoint, by its last delivery. */
export function stateOf(endpoint: Endpoint): EndpointState {
	if (endpoint.disabled_reason === "gone") return { text: t.gone, tone: "bad" };
	if (endpoint.disabled_reason === "failing") return { text: t.failed, tone: "bad" };
	if (!endpoint.is_active) return { text: t.off, tone: "muted" };
	if (moment(endpoint.last_failure_at) > moment(endpoint.last_success_at)) return { text: t.failing, tone: "bad" };
	if (endpoint.is_verified || endpoint.last_success_at !== null) return { text: t.working, tone: "good" };
	return { text: t.unproven, tone: "warn" };
}
