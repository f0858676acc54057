/** Webhooks: signed calls to addresses of a site's users that tell of its events, with a log, retries and replays. */

export { countDeliveries, forgetDeliveries } from "./deliveries/deliveries-store.ts";
export { registerWebhooks } from "./endpoints/routes.ts";
export { startWebhooks } from "./sending/start-webhooks.ts";
