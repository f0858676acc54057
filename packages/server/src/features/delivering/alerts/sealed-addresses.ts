import { deriveKey, seal, unseal } from "../../../platform/lib/crypto.ts";
import type { AlertDeps } from "./deps.ts";
import type { Addresses } from "./rule.ts";
import type { RuleRow } from "./store.ts";

type Secrets = Pick<AlertDeps, "secretKey" | "secretKeyPrevious">;
type SealedColumns = Pick<RuleRow, "sealed_slack_url" | "sealed_webhook_url">;

/** A key for each site, so that an address copied to a rule of another one stays shut. */
const keyFor = (secret: string, siteId: string): Buffer => deriveKey(secret, `alert rules ${siteId}`);

/** Whoever knows an address can post there, so it is stored sealed. */
const sealed = ({ secretKey }: Secrets, siteId: string, url: string | null): string | null =>
	url === null ? null : seal(keyFor(secretKey, siteId), url);

/** The columns of those addresses that are given. */
export const sealedColumns = (
	deps: Secrets,
	siteId: string,
	{ slack_webhook_url, custom_webhook_url }: Partial<Addresses>,
): Partial<SealedColumns> => ({
	...(slack_webhook_url !== undefined && { sealed_slack_url: sealed(deps, siteId, slack_webhook_url) }),
	...(custom_webhook_url !== undefined && { sealed_webhook_url: sealed(deps, siteId, custom_webhook_url) }),
});

/** The address that was sealed; null when there is none, or neither of the server's secrets opens it. */
function opened({ secretKey, secretKeyPrevious }: Secrets, siteId: string, text: string | null): string | null {
	if (text === null) return null;
	const url = unseal(keyFor(secretKey, siteId), text);
	if (url !== undefined || secretKeyPrevious === undefined) return url ?? null;
	return unseal(keyFor(secretKeyPrevious, siteId), text) ?? null;
}

/** The addresses that a rule posts to. */
export const addressesOf = (deps: Secrets, row: SealedColumns & Pick<RuleRow, "site_id">): Addresses => ({
	slack_webhook_url: opened(deps, row.site_id, row.sealed_slack_url),
	custom_webhook_url: opened(deps, row.site_id, row.sealed_webhook_url),
});

/** The columns sealed with the server's present secret: null = they are already, undefined = nobody can open them. */
export function resealed(
	deps: Secrets,
	row: SealedColumns & Pick<RuleRow, "site_id">,
): Partial<SealedColumns> | null | undefined {
	const { secretKey } = deps;
	const present = [row.sealed_slack_url, row.sealed_webhook_url].filter((text) => text !== null);
	if (present.every((text) => unseal(keyFor(secretKey, row.site_id), text) !== undefined)) return null;
	const { slack_webhook_url, custom_webhook_url } = addressesOf(deps, row);
	const isLost =
		(row.sealed_slack_url !== null && slack_webhook_url === null) ||
		(row.sealed_webhook_url !== null && custom_webhook_url === null);
	return isLost ? undefined : sealedColumns(deps, row.site_id, { slack_webhook_url, custom_webhook_url });
}

/** What is shown of a secret address. */
export const maskedAddress = (url: string | null): string | null => (url === null ? null : `${new URL(url).origin}/…`);
