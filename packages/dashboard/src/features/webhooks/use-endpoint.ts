import { call } from "../../api/client.ts";
import { useChange } from "../../ui/form/use-change.ts";
import { type Endpoint, staleRoutes } from "./queries.ts";
import { t } from "./texts.ts";

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
