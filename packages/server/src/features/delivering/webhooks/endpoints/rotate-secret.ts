import { DAY_MS } from "../../../../platform/lib/durations.ts";
import { recordAudit } from "../../../auditing/audit-log/index.ts";
import type { WebhookDeps } from "../deps.ts";
import { lastFour, newSecret } from "../sending/sign-payload.ts";
import type { EndpointChange } from "./endpoint-change.ts";
import { lockEndpoint, updateEndpoint } from "./endpoints-store.ts";
import { endpointNotFound } from "./find-endpoint.ts";
import { sealValue } from "./sealed-values.ts";

const PREVIOUS_LIVES_MS = DAY_MS;

/** A secret that was just made. */
interface Rotation {
	readonly secret: string;
	readonly version: number;
	readonly previousExpiresAt: number;
}

/** Gives an endpoint a new secret, valid at once; the one before signs beside it for 24 hours, older ones never again. */
export async function rotateSecret(
	deps: WebhookDeps,
	{ siteId, actor }: EndpointChange,
	id: string,
): Promise<Rotation> {
	const now = deps.clock.now();
	const secret = newSecret();
	return deps.metadata.transaction().execute(async (trx) => {
		const before = await lockEndpoint(trx, siteId, id);
		if (before === undefined) throw endpointNotFound();
		const version = before.secret_version + 1;
		const previousExpiresAt = now + PREVIOUS_LIVES_MS;
		await updateEndpoint(trx, id, {
			sealed_secret: sealValue(deps, id, secret),
			secret_last_4: lastFour(secret),
			secret_version: version,
			sealed_previous_secret: before.sealed_secret,
			previous_secret_expires_at: previousExpiresAt,
			updated_at: now,
		});
		const details = { secret_version: [before.secret_version, version] };
		await recordAudit(trx, actor, { action: "webhook.secret_rotated", resourceId: id, siteId, details }, now);
		return { secret, version, previousExpiresAt };
	});
}
