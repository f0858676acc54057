import { deriveKey, seal, unseal } from "../../../../platform/lib/crypto.ts";
import type { EndpointRow } from "../webhook-tables.ts";

/** The server's secrets. */
export interface SealingSecrets {
	readonly secretKey: string;
	/** The one before it, while an operator changes it: what it sealed is still read. */
	readonly secretKeyPrevious: string | undefined;
}

/** What an endpoint keeps sealed. */
type SealedColumns = Pick<EndpointRow, "id" | "sealed_headers" | "sealed_secret" | "sealed_previous_secret">;

/** A key for each endpoint, so that a sealed value copied to another one's row stays shut. */
const keyFor = (secretKey: string, endpointId: string): Uint8Array => deriveKey(secretKey, `webhook ${endpointId}`);

/** A secret or the headers of an endpoint as they are stored. */
export const sealValue = ({ secretKey }: SealingSecrets, endpointId: string, text: string): string =>
	seal(keyFor(secretKey, endpointId), text);

/** The text that was sealed; undefined when neither of the server's secrets opens it. */
function open(deps: SealingSecrets, endpointId: string, sealed: string): string | undefined {
	const { secretKey, secretKeyPrevious } = deps;
	const text = unseal(keyFor(secretKey, endpointId), sealed);
	if (text !== undefined || secretKeyPrevious === undefined) return text;
	return unseal(keyFor(secretKeyPrevious, endpointId), sealed);
}

function openOrThrow(deps: SealingSecrets, endpointId: string, sealed: string): string {
	const text = open(deps, endpointId, sealed);
	if (text === undefined) throw new Error("A webhook was sealed with another SECRET_KEY");
	return text;
}

/** The headers that the endpoint's users added; throws when they cannot be opened. */
export const sentHeaders = (deps: SealingSecrets, row: SealedColumns): Record<string, string> =>
	JSON.parse(openOrThrow(deps, row.id, row.sealed_headers));

/** The same for those who look at them: none when they cannot be opened, so that they can be replaced. */
export const shownHeaders = (deps: SealingSecrets, row: SealedColumns): Record<string, string> =>
	JSON.parse(open(deps, row.id, row.sealed_headers) ?? "{}");

/** The secrets that sign now, the current one first; throws when that cannot be opened. */
export function signingSecrets(
	deps: SealingSecrets,
	row: SealedColumns & Pick<EndpointRow, "previous_secret_expires_at">,
	nowMs: number,
): readonly [current: string, previous?: string] {
	const current = openOrThrow(deps, row.id, row.sealed_secret);
	const { sealed_previous_secret: sealedPrevious, previous_secret_expires_at: end } = row;
	if (sealedPrevious === null || end === null || end <= nowMs) return [current];
	const previous = open(deps, row.id, sealedPrevious);
	return previous === undefined ? [current] : [current, previous];
}

/** The columns sealed with the server's present secret: null = they are already, undefined = nobody can open them. */
export function resealed(deps: SealingSecrets, row: SealedColumns): Omit<SealedColumns, "id"> | null | undefined {
	const columns = [row.sealed_headers, row.sealed_secret, row.sealed_previous_secret];
	const isCurrent = (sealed: string | null) =>
		sealed === null || unseal(keyFor(deps.secretKey, row.id), sealed) !== undefined;
	if (columns.every(isCurrent)) return null;
	const [headers, secret, previous] = columns.map((sealed) => (sealed === null ? null : open(deps, row.id, sealed)));
	if (typeof headers !== "string" || typeof secret !== "string") return undefined;
	return {
		sealed_headers: sealValue(deps, row.id, headers),
		sealed_secret: sealValue(deps, row.id, secret),
		sealed_previous_secret: typeof previous === "string" ? sealValue(deps, row.id, previous) : null,
	};
}
