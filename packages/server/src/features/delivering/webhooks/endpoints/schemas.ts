import { Type } from "typebox";
import { account } from "../../../../access/index.ts";
import { limitAndOffset, Nullable, OneOf, optionalBody, Timestamp } from "../../../../platform/http/schemas.ts";
import { eventTypes } from "../../domain-events/index.ts";

const errorTypes = ["http_status", "redirect", "timeout", "dns", "connection", "tls", "blocked_address"] as const;
const statuses = ["pending", "success", "failed", "retrying"] as const;

const uuid = () => Type.String({ format: "uuid" });
const paging = {
	...limitAndOffset({ limit: 50, max: 200 }),
	offset: Type.Integer({ minimum: 0, maximum: 1_000_000_000, default: 0 }),
};

export const ListQuery = Type.Object({ ...account, ...paging, include_inactive: Type.Boolean({ default: false }) });
export const DeliveriesQuery = Type.Object({ ...account, ...paging, status: Type.Optional(OneOf([...statuses])) });
export const StatsQuery = Type.Object({
	...account,
	hours: Type.Integer({ minimum: 1, maximum: 720, default: 24 }),
});
export const EndpointParams = Type.Object({ endpoint_id: uuid() });
export const DeliveryParams = Type.Object({ endpoint_id: uuid(), delivery_id: uuid() });

const fields = {
	name: Type.String({ minLength: 1, maxLength: 255 }),
	url: Type.String({ minLength: 1, maxLength: 2000, description: "`https:` URL on a public address" }),
	event_types: Type.Array(OneOf(eventTypes), { minItems: 1, maxItems: 5, uniqueItems: true }),
};
const optional = {
	headers: Type.Optional(
		Type.Record(Type.String(), Type.String(), {
			description: "Sent with each request, at most 20; not `host`, `content-*`, `x-service-*` and `webhook-*`",
		}),
	),
	description: Type.Optional(Nullable(Type.String({ maxLength: 1000, "x-characters": "lines" }))),
};

export const CreateEndpointBody = Type.Object({ ...fields, ...optional });
export const ChangeEndpointBody = Type.Object({
	...Type.Partial(Type.Object(fields)).properties,
	is_active: Type.Optional(Type.Boolean()),
	...optional,
});
export const TestBody = Type.Object(
	{
		event_type: OneOf(eventTypes, { default: "alert.triggered" }),
		include_sample_context: Type.Boolean({ default: false, description: "Adds the fields of a real event" }),
	},
	optionalBody,
);
const force = () => Type.Boolean({ default: false, description: "Also replays successful deliveries" });
export const ReplayBody = Type.Object({ force: force() }, optionalBody);
export const BulkReplayBody = Type.Object({
	delivery_ids: Type.Array(uuid(), { minItems: 1, maxItems: 100 }),
	force: force(),
});

const endpoint = {
	id: uuid(),
	account_id: Type.String(),
	name: Type.String(),
	url: Type.String({
		description: "Complete for users who may change it; others see `[hidden]` in place of the query",
	}),
	event_types: Type.Array(Type.String()),
	headers: Type.Record(Type.String(), Type.String(), {
		description: "Values are shown to users who may change them, others see `[hidden]`",
	}),
	description: Nullable(Type.String()),
	secret_last_4: Type.String(),
	secret_version: Type.Integer(),
	previous_secret_expires_at: Nullable(Timestamp(), {
		description: "Until then deliveries are also signed with the previous secret",
	}),
	is_active: Type.Boolean(),
	is_verified: Type.Boolean({ description: "A test has succeeded; events are sent in any case" }),
	disabled_reason: Nullable(OneOf(["gone", "failing"]), {
		description: "Why the service disabled it: the receiver answered 410, or failed for 3 days",
	}),
	created_by: Nullable(Type.Integer()),
	created_at: Timestamp(),
	updated_at: Nullable(Timestamp()),
	last_delivery_at: Nullable(Timestamp()),
	last_success_at: Nullable(Timestamp()),
	last_failure_at: Nullable(Timestamp()),
	last_failure_reason: Nullable(Type.String()),
};
export const Endpoint = Type.Object(endpoint);
export const CreatedEndpoint = Type.Object({ ...endpoint, secret: Type.String({ description: "Shown once" }) });
export const EndpointList = Type.Object({ endpoints: Type.Array(Endpoint), total: Type.Integer() });
export const EventTypeList = Type.Object({
	event_types: Type.Array(Type.Object({ type: Type.String(), name: Type.String(), description: Type.String() })),
});
export const RotatedSecret = Type.Object({
	new_secret: Type.String({ description: "Shown once" }),
	previous_secret_expires_at: Timestamp(),
	secret_version: Type.Integer(),
});
export const TestAnswer = Type.Object({
	success: Type.Boolean(),
	delivery_id: uuid(),
	response_status: Nullable(Type.Integer()),
	response_time_ms: Nullable(Type.Integer()),
	verified: Type.Boolean(),
	error_type: Type.Optional(OneOf([...errorTypes], { description: "Only with `success` false" })),
	error_message: Type.Optional(Type.String({ description: "Only with `success` false" })),
});

const delivery = {
	id: Type.Integer(),
	delivery_id: uuid(),
	endpoint_id: uuid(),
	event_id: Type.String({ description: "The same in every delivery of one event" }),
	event_type: Type.String(),
	status: OneOf([...statuses]),
	attempt_number: Type.Integer({ description: "Number of attempts" }),
	max_attempts: Type.Integer(),
	next_retry_at: Nullable(Timestamp()),
	response_status_code: Nullable(Type.Integer()),
	response_headers: Type.Record(Type.String(), Type.String()),
	response_time_ms: Nullable(Type.Integer()),
	error_type: Nullable(OneOf([...errorTypes])),
	error_message: Nullable(Type.String()),
	payload_size_bytes: Type.Integer(),
	created_at: Timestamp(),
	completed_at: Nullable(Timestamp()),
};
export const DeliverySummary = Type.Object(delivery);
export const DeliveryList = Type.Object({ deliveries: Type.Array(DeliverySummary), total: Type.Integer() });
export const Delivery = Type.Object({
	...delivery,
	payload: Type.Record(Type.String(), Type.Unknown(), {
		description:
			"As sent; without `data` beyond 10 KB, and without the token in `download_url` for keys without `stats:read`",
	}),
	response_body: Nullable(Type.String({ description: "Truncated at 10 KB" })),
});
export const Attempt = Type.Object({
	id: Type.Integer(),
	delivery_id: uuid(),
	attempt_number: Type.Integer(),
	attempted_at: Timestamp(),
	request_method: Type.String(),
	request_url: Type.String({ description: "Shown as the endpoint's `url`" }),
	response_status_code: delivery.response_status_code,
	response_time_ms: delivery.response_time_ms,
	error_type: delivery.error_type,
	error_message: delivery.error_message,
	success: Type.Boolean(),
});
export const AttemptList = Type.Array(Attempt);
export const ReplayAnswer = Type.Object({
	success: Type.Boolean(),
	new_delivery_id: uuid(),
	message: Type.String(),
});
export const BulkReplayAnswer = Type.Object({
	replayed: Type.Integer(),
	skipped: Type.Integer({ description: "Successful deliveries, skipped without `force`" }),
	errors: Type.Array(Type.String()),
});
export const Failure = Type.Pick(DeliverySummary, ["delivery_id", "error_type", "error_message", "created_at"]);
export const EndpointStats = Type.Object({
	endpoint: Endpoint,
	stats: Type.Object({
		total_deliveries: Type.Integer(),
		successful: Type.Integer(),
		failed: Type.Integer(),
		pending: Type.Integer({ description: "Deliveries waiting for their first or next attempt" }),
		success_rate: Type.Number({ description: "Of the finished deliveries, 0 to 100" }),
		avg_response_time_ms: Type.Number(),
	}),
	recent_failures: Type.Array(Failure),
});
