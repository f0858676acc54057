import { FootfallError } from "./footfall-error.ts";

/** Content of a webhook. `docs/webhooks.md` names the fields of `data`, event by event. */
export interface WebhookEvent {
	readonly event:
		| "alert.triggered"
		| "alert.resolved"
		| "export.completed"
		| "export.failed"
		| "goal.reached"
		// Events that come later, too.
		| (string & {});
	/** The same event may arrive twice: this tells. */
	readonly event_id: string;
	readonly timestamp: string;
	readonly account_id: string;
	readonly data: Readonly<Record<string, unknown>>;
}

/** A request that a webhook has sent. */
export interface WebhookRequest {
	/** Of the endpoint, as it was shown: `whsec_…`. */
	readonly secret: string;
	readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
	/** As it arrived, before any parsing. */
	readonly body: string | Uint8Array<ArrayBuffer>;
	/** How old a request may be; five minutes when absent. */
	readonly toleranceMs?: number;
	/** The current time, in milliseconds; the machine's when absent. */
	readonly now?: number;
}

/**
 * The event in a request that the service has signed, by the headers of Standard Webhooks.
 * @throws {FootfallError} `bad_signature` for every other one, and for those that are too old.
 */
export async function verifyWebhook(request: WebhookRequest): Promise<WebhookEvent> {
	const { secret, body, toleranceMs = 300_000, now = Date.now() } = request;
	const [id, timestamp, signatures] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) =>
		headerOf(request.headers, name),
	);
	if (id === undefined || timestamp === undefined || signatures === undefined)
		throw refused("A header of the signature is missing");
	if (!(Math.abs(now - Number(timestamp) * 1000) <= toleranceMs)) throw refused("The request is too old, or too new");
	const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
	const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
	const key = await crypto.subtle.importKey("raw", keyOf(secret), { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
	// While a secret is changed, each request is signed with both.
	for (const signature of signatures.split(" ")) {
		const [version, text = ""] = signature.split(",", 2);
		// The comparison is the platform's own, in constant time.
		if (version === "v1" && (await crypto.subtle.verify("HMAC", key, bytesOf(text), signed)))
			return JSON.parse(new TextDecoder().decode(bytes));
	}
	throw refused("The signature is not that of the secret");
}

const refused = (message: string) => new FootfallError(message, { code: "bad_signature" });

function headerOf(headers: WebhookRequest["headers"], name: string): string | undefined {
	if (headers instanceof Headers) return headers.get(name) ?? undefined;
	const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
	return typeof found === "object" ? found[0] : found;
}

const keyOf = (secret: string) => bytesOf(secret.replace(/^whsec_/, ""));

/** The bytes of a base64 text; none of one that is not. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
	try {
		return Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
	} catch {
		return new Uint8Array();
	}
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
	const all = new Uint8Array(a.length + b.length);
	all.set(a);
	all.set(b, a.length);
	return all;
}
