import { uuid } from "../../../../platform/lib/ids.ts";
import type { DeliveryRow } from "../deps.ts";
import { MAX_ATTEMPTS } from "../sending/retry-schedule.ts";

export const newDelivery = (
	told: Pick<DeliveryRow, "endpoint_id" | "event_id" | "event_type" | "payload">,
	nowMs: number,
): Omit<DeliveryRow, "id"> => ({
	endpoint_id: told.endpoint_id,
	event_id: told.event_id,
	event_type: told.event_type,
	payload: told.payload,
	delivery_id: uuid(),
	event_key: null,
	payload_size_bytes: Buffer.byteLength(told.payload),
	max_attempts: MAX_ATTEMPTS,
	status: "pending",
	attempt_number: 0,
	first_attempt_at: null,
	next_retry_at: null,
	response_status_code: null,
	response_headers: "{}",
	response_body: null,
	response_time_ms: null,
	error_type: null,
	error_message: null,
	created_at: nowMs,
	completed_at: null,
});
