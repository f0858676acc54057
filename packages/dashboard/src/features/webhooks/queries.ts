import { queryOptions } from "@tanstack/react-query";
import { type Answer, call, type Query } from "../../api/client.ts";
import { read } from "../../api/read.ts";

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
