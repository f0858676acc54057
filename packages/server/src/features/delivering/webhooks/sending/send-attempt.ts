import { OutboundError } from "../../../../platform/outbound/outbound-error.ts";
import type { DeliveryRow, EndpointRow, WebhookDeps } from "../deps.ts";
import { sentHeaders, signatureHeaders, signingSecrets } from "../endpoints/sealed-values.ts";
import { putOffMs } from "./enqueue-attempt.ts";

const TIMEOUT_MS = 30_000;
const MAX_BODY_BYTES = 10_240;
/** Cookies of the receiver are none of our users' business. */
const unkept: ReadonlySet<string> = new Set(["set-cookie"]);

export interface Outcome {
	readonly url: string;
	readonly error: { readonly type: NonNullable<DeliveryRow["error_type"]>; readonly message: string } | null;
	readonly status: number | null;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string | null;
	readonly timeMs: number;
	/** Milliseconds that the receiver asks to wait. */
	readonly putOffMs: number;
}

/** Sends an event to its receiver once. Throws only when `signal` ends it, or the endpoint's secrets cannot be opened. */
export async function sendAttempt(
	deps: WebhookDeps,
	endpoint: EndpointRow,
	{ event_id: eventId, payload }: Pick<DeliveryRow, "event_id" | "payload">,
	signal?: AbortSignal,
): Promise<Outcome> {
	const now = deps.clock.now();
	const signed = { eventId, payload, timestamp: Math.floor(now / 1000) };
	const added = sentHeaders(deps, endpoint);
	const isNamed = Object.keys(added).some((name) => name.toLowerCase() === "user-agent");
	const headers = {
		...(!isNamed && { "User-Agent": "Footfall-Webhooks/1" }),
		...added,
		"Content-Type": "application/json",
		...signatureHeaders(signingSecrets(deps, endpoint, now), signed),
	};
	const began = deps.clock.monotonic();
	const took = () => Math.round(deps.clock.monotonic() - began);
	try {
		const { url } = endpoint;
		const answer = await deps.guardedFetch.send({
			...{ url, method: "POST", headers, body: payload },
			...{ timeoutMs: TIMEOUT_MS, maxBytes: MAX_BODY_BYTES, excess: "cut" },
			...(signal !== undefined && { signal }),
		});
		const { status } = answer;
		const mayPutOff = status === 429 || status === 503;
		return {
			url,
			error: faultOf(status),
			status,
			headers: Object.fromEntries(Object.entries(answer.headers).filter(([name]) => !unkept.has(name))),
			// PostgreSQL stores no NUL.
			body: answer.body.replaceAll("\0", "\uFFFD"),
			timeMs: took(),
			putOffMs: mayPutOff ? putOffMs(answer.headers["retry-after"], deps.clock.now()) : 0,
		};
	} catch (error) {
		if (!(error instanceof OutboundError)) throw error;
		const { failure, message } = error;
		const fault = { type: failure === "too_large" ? "connection" : failure, message } as const;
		return { url: endpoint.url, error: fault, status: null, headers: {}, body: null, timeMs: took(), putOffMs: 0 };
	}
}

function faultOf(status: number): Outcome["error"] {
	if (status >= 200 && status < 300) return null;
	if (status >= 300 && status < 400) {
		return { type: "redirect", message: `The receiver answered ${status}; redirects are not followed` };
	}
	return { type: "http_status", message: `The receiver answered ${status}` };
}
