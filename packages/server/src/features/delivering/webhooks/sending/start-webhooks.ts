import type { DomainEvents } from "../../domain-events/index.ts";
import type { WebhookDeps } from "../deps.ts";
import { registerDelivery } from "./deliver.ts";
import { tellEndpoints } from "./tell-endpoints.ts";
import { dropOldDeliveries } from "./upkeep.ts";

/** Listens to what happens at sites, and says how it is sent out; before the jobs start. */
export function startWebhooks(deps: WebhookDeps & { readonly events: DomainEvents }): void {
	registerDelivery(deps);
	deps.events.listen(async (event, { endWith }) => endWith((trx) => tellEndpoints(deps, trx, event)));
	deps.jobs.schedule("webhook-retention", "11 * * * *", () => dropOldDeliveries(deps));
}
