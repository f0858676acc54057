import type { Generated, Selectable } from "kysely";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { EventType } from "../domain-events/index.ts";

/** Not tried yet, answered well, given up, or waiting for another attempt. */
export type DeliveryStatus = "pending" | "success" | "failed" | "retrying";

/** Why an attempt failed. */
export type DeliveryErrorType =
	| "http_status"
	| "redirect"
	| "timeout"
	| "dns"
	| "connection"
	| "tls"
	| "blocked_address";

/** The tables of this slice; times in milliseconds. */
type WebhookTables = {
	webhook_endpoints: {
		/** UUID. */
		id: string;
		site_id: string;
		name: string;
		url: string;
		/** JSON list. */
		event_types: string;
		description: string | null;
		/** JSON object of header values, sealed: many hold a credential of the receiver. */
		sealed_headers: string;
		sealed_secret: string;
		secret_last_4: string;
		secret_version: number;
		sealed_previous_secret: string | null;
		previous_secret_expires_at: number | null;
		is_active: number;
		is_verified: number;
		/** Why the service switched it off; null when its users did. */
		disabled_reason: "gone" | "failing" | null;
		/** The first failure since the last success. */
		failing_since: number | null;
		last_delivery_at: number | null;
		last_success_at: number | null;
		last_failure_at: number | null;
		last_failure_reason: string | null;
		created_by: number | null;
		created_at: number;
		updated_at: number | null;
	};
	webhook_deliveries: {
		id: Generated<number>;
		/** UUID. */
		delivery_id: string;
		endpoint_id: string;
		/** UUID; the same in every delivery of one event. */
		event_id: string;
		/** Once an endpoint and event; null on tests and replays. */
		event_key: string | null;
		event_type: EventType;
		/** The body, byte for byte as it is signed and sent. */
		payload: string;
		payload_size_bytes: number;
		max_attempts: number;
		status: DeliveryStatus;
		/** Attempts made. */
		attempt_number: number;
		first_attempt_at: number | null;
		next_retry_at: number | null;
		response_status_code: number | null;
		/** JSON object. */
		response_headers: string;
		response_body: string | null;
		response_time_ms: number | null;
		error_type: DeliveryErrorType | null;
		error_message: string | null;
		created_at: number;
		completed_at: number | null;
	};
	webhook_attempts: {
		id: Generated<number>;
		/** Row id of the delivery. */
		delivery: number;
		attempt_number: number;
		attempted_at: number;
		request_url: string;
		response_status_code: number | null;
		response_time_ms: number | null;
		error_type: DeliveryErrorType | null;
		error_message: string | null;
	};
};

/** An endpoint as stored. */
export type EndpointRow = Selectable<WebhookTables["webhook_endpoints"]>;
/** A delivery as stored. */
export type DeliveryRow = Selectable<WebhookTables["webhook_deliveries"]>;
/** An attempt as stored. */
export type AttemptRow = Selectable<WebhookTables["webhook_attempts"]>;

/** The metadata store with this slice's tables. */
export const webhookTables = (metadata: Metadata) => metadata.withTables<WebhookTables>();

/** The events that an endpoint wants. */
export const subscribedTo = (row: Pick<EndpointRow, "event_types">): EventType[] => JSON.parse(row.event_types);
