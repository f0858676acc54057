/** A typed client of the Footfall API. */
export { type Outcome, type Question, report } from "./batch.ts";
export { type Client, createClient } from "./client.ts";
export { type FieldFault, FootfallError } from "./footfall-error.ts";
export type { ClientOptions, Credential, RetryOptions } from "./options.ts";
export type { Answer, Body, Input, PagedRoute, Query, Report, Route, Row } from "./route.ts";
export { verifyWebhook, type WebhookEvent, type WebhookRequest } from "./verify-webhook.ts";
