import { createHmac, randomBytes } from "node:crypto";
import { hmacHex } from "../../../../platform/lib/crypto.ts";

const PREFIX = "whsec_";
const SECRET_BYTES = 32;

export const newSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString("base64");

/** The part of a secret that is shown later. */
export const lastFour = (secret: string): string => secret.slice(-4);

interface Signed {
	readonly eventId: string;
	readonly payload: string;
	/** Unix time in seconds. */
	readonly timestamp: number;
}

/**
 * The headers that prove where a body comes from, in both forms: our own and the one of Standard Webhooks, where the key is
 * the decoded part of the secret. In the hours after a rotation both secrets sign.
 */
export function signatureHeaders(
	[current, previous]: readonly [current: string, previous?: string],
	signed: Signed,
): Record<string, string> {
	const { eventId, timestamp } = signed;
	const secrets = previous === undefined ? [current] : [current, previous];
	return {
		"X-Service-Signature": ownSignature(current, signed),
		...(previous !== undefined && { "X-Service-Signature-Previous": ownSignature(previous, signed) }),
		"X-Service-Timestamp": String(timestamp),
		"webhook-id": eventId,
		"webhook-timestamp": String(timestamp),
		"webhook-signature": secrets.map((secret) => standardSignature(secret, signed)).join(" "),
	};
}

const ownSignature = (secret: string, { timestamp, payload }: Signed): string =>
	`sha256=${hmacHex(secret, `${timestamp}.${payload}`)}`;

function standardSignature(secret: string, { eventId, timestamp, payload }: Signed): string {
	const key = Buffer.from(secret.slice(PREFIX.length), "base64");
	const digest = createHmac("sha256", key).update(`${eventId}.${timestamp}.${payload}`).digest("base64");
	return `v1,${digest}`;
}
