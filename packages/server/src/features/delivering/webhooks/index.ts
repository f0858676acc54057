/** Webhooks: signed calls to addresses of a site's users that tell of its events, with a log, retries and replays. */

export { registerWebhooks } from "./routes.ts";
export { startWebhooks } from "./start-webhooks.ts";
