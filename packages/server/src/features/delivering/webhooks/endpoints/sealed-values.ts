import { createHmac, randomBytes } from "node:crypto";
import { hmacHex } from "../../../../platform/lib/crypto.ts";
import { createSealer, resealRows, type ServerSecrets } from "../../../../platform/lib/sealer.ts";
import type { EndpointRow, WebhookDeps } from "../deps.ts";
import { webhookEndpoints } from "./endpoints-store.ts";

type SealedColumns = Pick<EndpointRow, "id" | "sealed_headers" | "sealed_secret" | "sealed_previous_secret">;

const sealerOf = (secrets: ServerSecrets) => createSealer(secrets, "webhook");

export const sealValue = (secrets: ServerSecrets, endpointId: string, text: string): string =>
	sealerOf(secrets).seal(endpointId, text);

function openOrThrow(secrets: ServerSecrets, endpointId: string, sealed: string): string {
	const text = sealerOf(secrets).open(endpointId, sealed);
	if (text === undefined) throw new Error("A webhook was sealed with another SECRET_KEY");
	return text;
}

/** The headers that the endpoint's users added; throws when they cannot be opened. */
export const sentHeaders = (secrets: ServerSecrets, row: SealedColumns): Record<string, string> =>
	JSON.parse(openOrThrow(secrets, row.id, row.sealed_headers));

/** The same for those who look at them: none when they cannot be opened, so that they can be replaced. */
export const shownHeaders = (secrets: ServerSecrets, row: SealedColumns): Record<string, string> =>
	JSON.parse(sealerOf(secrets).open(row.id, row.sealed_headers) ?? "{}");

/** The secrets that sign now, the current one first; throws when that cannot be opened. */
export function signingSecrets(
	secrets: ServerSecrets,
	row: SealedColumns & Pick<EndpointRow, "previous_secret_expires_at">,
	nowMs: number,
): readonly [current: string, previous?: string] {
	const current = openOrThrow(secrets, row.id, row.sealed_secret);
	const { sealed_previous_secret: sealedPrevious, previous_secret_expires_at: end } = row;
	if (sealedPrevious === null || end === null || end <= nowMs) return [current];
	const previous = sealerOf(secrets).open(row.id, sealedPrevious);
	return previous === undefined ? [current] : [current, previous];
}

/** Reseals what endpoints hold; see `resealRows`. A previous secret that cannot be opened is forgotten. */
export async function resealEndpoints(deps: ServerSecrets & Pick<WebhookDeps, "metadata">): Promise<number> {
	const { reseal } = sealerOf(deps);
	return resealRows(
		await webhookEndpoints.list(deps.metadata, {}, "id"),
		({ id, sealed_headers: headers, sealed_secret: secret, sealed_previous_secret: previous }) => ({
			sealed_headers: reseal(id, headers),
			sealed_secret: reseal(id, secret),
			sealed_previous_secret: previous === null ? null : (reseal(id, previous) ?? null),
		}),
		// Values that were changed meanwhile stay.
		({ id, sealed_secret, sealed_headers }, columns: Omit<SealedColumns, "id">) =>
			webhookEndpoints.update(deps.metadata, { id, sealed_secret, sealed_headers }, columns),
	);
}

const PREFIX = "whsec_";
const SECRET_BYTES = 32;

export const newSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString("base64");

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
