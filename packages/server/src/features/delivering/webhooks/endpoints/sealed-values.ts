import { createSealer, resealRows, type ServerSecrets } from "../../../../platform/lib/sealer.ts";
import type { EndpointRow, WebhookDeps } from "../deps.ts";
import { listAllEndpoints, replaceSealed } from "./endpoints-store.ts";

type SealedColumns = Pick<EndpointRow, "id" | "sealed_headers" | "sealed_secret" | "sealed_previous_secret">;

const sealerOf = (secrets: ServerSecrets) => createSealer(secrets, "webhook");

/** A secret or the headers of an endpoint as they are stored. */
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
		await listAllEndpoints(deps.metadata),
		({ id, sealed_headers: headers, sealed_secret: secret, sealed_previous_secret: previous }) => ({
			sealed_headers: reseal(id, headers),
			sealed_secret: reseal(id, secret),
			sealed_previous_secret: previous === null ? null : (reseal(id, previous) ?? null),
		}),
		(row, columns: Omit<SealedColumns, "id">) => replaceSealed(deps.metadata, row, columns),
	);
}
