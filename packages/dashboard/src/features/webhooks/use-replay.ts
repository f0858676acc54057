import { call } from "../../api/client.ts";
import { useChange } from "../../ui/form/use-change.ts";
import { toast } from "../../ui/toast/toast.tsx";
import { t } from "./delivery-texts.ts";
import { type Delivery, staleRoutes } from "./queries.ts";

/** Which deliveries are sent again, and whether those too that have succeeded. */
export interface Replay {
	readonly deliveries: readonly Delivery[];
	readonly force: boolean;
}

/** Sends the events of deliveries again, each as a delivery of its own. */
export const useReplay = (site: string) =>
	useChange({
		run: ({ deliveries, force }: Replay) =>
			call("POST /webhooks/bulk/replay", {
				query: { account_id: site },
				body: { delivery_ids: deliveries.map(({ delivery_id: id }) => id), force },
			}),
		stale: staleRoutes,
		done: ({ replayed, skipped, errors }) => {
			if (skipped > 0) toast(t.skipped(skipped));
			if (errors.length > 0) toast(t.refused(errors.length));
			return replayed > 0 ? t.replayed(replayed) : undefined;
		},
	});
