import { queryOptions } from "@tanstack/react-query";
import { type Answer, call, type Query } from "../../api/client.ts";
import { read } from "../../api/read.ts";
import { useChange } from "../../ui/form/use-change.ts";
import { t } from "./texts.ts";

/** The body byte for byte as it was sent; undefined where a part of it is not shown here. */
export function sentBody({
	payload,
	payload_size_bytes: size,
}: Pick<WholeDelivery, "payload" | "payload_size_bytes">): string | undefined {
	const body = JSON.stringify(payload);
	return new TextEncoder().encode(body).length === size ? body : undefined;
}

/** How an endpoint stands, in a word and its colour. */
interface EndpointState {
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

/** Switches an endpoint on or off; may be taken back. */
export function useSwitch(site: string) {
	const change = ({ id }: Endpoint, isActive: boolean) =>
		call("PATCH /webhooks/{endpoint_id}", {
			path: { endpoint_id: id },
			query: { account_id: site },
			body: { is_active: isActive },
		});
	return useChange({
		run: (endpoint: Endpoint) => change(endpoint, !endpoint.is_active),
		stale: staleRoutes,
		done: ({ is_active: isActive, name }) => (isActive ? t.turnedOn(name) : t.turnedOff(name)),
		undo: (_, endpoint) => change(endpoint, endpoint.is_active),
	});
}

/** Removes an endpoint with its record; it does not come back. */
export const useRemoval = (site: string) =>
	useChange({
		run: ({ id }: Endpoint) =>
			call("DELETE /webhooks/{endpoint_id}", { path: { endpoint_id: id }, query: { account_id: site } }),
		stale: ["GET /webhooks"],
		done: (_, { name }) => t.removed(name),
	});

/** An endpoint as returned by the API. */
export type Endpoint = Answer<"GET /webhooks/{endpoint_id}">;
/** A delivery in the list. */
export type Delivery = Answer<"GET /webhooks/{endpoint_id}/deliveries">["deliveries"][number];
/** A delivery with what was sent and what came back. */
export type WholeDelivery = Answer<"GET /webhooks/{endpoint_id}/deliveries/{delivery_id}">;
/** One request of a delivery. */
export type Attempt = Answer<"GET /webhooks/{endpoint_id}/deliveries/{delivery_id}/logs">[number];
/** Of which deliveries a list is. */
export type DeliveryStatus = NonNullable<Query<"GET /webhooks/{endpoint_id}/deliveries">["status"]>;

/** Names an endpoint of a site. */
export interface EndpointName {
	readonly site: string;
	readonly endpoint: string;
}
/** Names a delivery to an endpoint. */
export interface DeliveryName extends EndpointName {
	readonly delivery: string;
}

/** Routes that a change of an endpoint, or a call of it, makes old. */
export const staleRoutes = [
	"GET /webhooks",
	"GET /webhooks/{endpoint_id}",
	"GET /webhooks/{endpoint_id}/stats",
	"GET /webhooks/{endpoint_id}/deliveries",
	"GET /webhooks/{endpoint_id}/deliveries/{delivery_id}",
	"GET /webhooks/{endpoint_id}/deliveries/{delivery_id}/logs",
] as const;

/** As many deliveries as a page of the list has. */
export const pageSize = 25;
const everyMs = 2_000;

/** All endpoints of a site; a site has 20 at most. */
export const endpointsQuery = (site: string) =>
	read("GET /webhooks", { query: { account_id: site, include_inactive: true, limit: 200 } });

/** One endpoint. */
export const endpointQuery = ({ site, endpoint }: EndpointName) =>
	read("GET /webhooks/{endpoint_id}", { path: { endpoint_id: endpoint }, query: { account_id: site } });

/** How an endpoint has fared in the last hours. */
export const statsQuery = ({ site, endpoint }: EndpointName, hours: number) =>
	read("GET /webhooks/{endpoint_id}/stats", { path: { endpoint_id: endpoint }, query: { account_id: site, hours } });

/** Deliveries that are due or being sent are polled until they are complete. */
const isOnItsWay = ({ status, next_retry_at: next }: Pick<Delivery, "status" | "next_retry_at">): boolean =>
	status === "pending" || (status === "retrying" && next !== null && Date.parse(next) <= Date.now());

/** A page of the deliveries to an endpoint, newest first. */
export const deliveriesQuery = (
	{ site, endpoint }: EndpointName,
	{ status, page }: { readonly status: DeliveryStatus | undefined; readonly page: number },
) =>
	queryOptions({
		...read("GET /webhooks/{endpoint_id}/deliveries", {
			path: { endpoint_id: endpoint },
			query: { account_id: site, limit: pageSize, offset: (page - 1) * pageSize, ...(status && { status }) },
		}),
		refetchInterval: ({ state }) => (state.data?.deliveries.some(isOnItsWay) ? everyMs : false),
	});

/** One delivery with its attempts. */
export const deliveryQuery = ({ site, endpoint, delivery }: DeliveryName) =>
	queryOptions({
		queryKey: ["GET /webhooks/{endpoint_id}/deliveries/{delivery_id}", { site, endpoint, delivery }],
		queryFn: async ({ signal }) => {
			const asked = {
				path: { endpoint_id: endpoint, delivery_id: delivery },
				query: { account_id: site },
				signal,
			};
			const [record, attempts] = await Promise.all([
				call("GET /webhooks/{endpoint_id}/deliveries/{delivery_id}", asked),
				call("GET /webhooks/{endpoint_id}/deliveries/{delivery_id}/logs", asked),
			]);
			return { record, attempts: attempts.toSorted((a, b) => a.attempt_number - b.attempt_number) };
		},
		refetchInterval: ({ state }) => (state.data && isOnItsWay(state.data.record) ? everyMs : false),
	});
