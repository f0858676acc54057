import { createSealer, resealRows, type ServerSecrets } from "../../../platform/lib/sealer.ts";
import type { AlertDeps } from "./deps.ts";
import type { Addresses } from "./rule-fields.ts";
import { listRulesWithAddresses, type RuleRow, replaceSealed } from "./store.ts";

type SealedColumns = Pick<RuleRow, "sealed_slack_url" | "sealed_webhook_url">;

/** Keys are those of sites, so that an address copied to a rule of another one stays shut. */
const sealerOf = (secrets: ServerSecrets) => createSealer(secrets, "alert rules");

/** Knowing an address permits posting there, so it is stored sealed. */
const sealed = (secrets: ServerSecrets, siteId: string, url: string | null): string | null =>
	url === null ? null : sealerOf(secrets).seal(siteId, url);

export const sealedColumns = (
	secrets: ServerSecrets,
	siteId: string,
	{ slack_webhook_url, custom_webhook_url }: Partial<Addresses>,
): Partial<SealedColumns> => ({
	...(slack_webhook_url !== undefined && { sealed_slack_url: sealed(secrets, siteId, slack_webhook_url) }),
	...(custom_webhook_url !== undefined && { sealed_webhook_url: sealed(secrets, siteId, custom_webhook_url) }),
});

/** The address that was sealed; null when there is none, or neither of the server's secrets opens it. */
const opened = (secrets: ServerSecrets, siteId: string, text: string | null): string | null =>
	text === null ? null : (sealerOf(secrets).open(siteId, text) ?? null);

export const addressesOf = (secrets: ServerSecrets, row: SealedColumns & Pick<RuleRow, "site_id">): Addresses => ({
	slack_webhook_url: opened(secrets, row.site_id, row.sealed_slack_url),
	custom_webhook_url: opened(secrets, row.site_id, row.sealed_webhook_url),
});

/** The visible part of a secret address. */
export const maskedAddress = (url: string | null): string | null => (url === null ? null : `${new URL(url).origin}/…`);

/** Reseals the addresses of rules; see `resealRows`. */
export async function resealRules(deps: ServerSecrets & Pick<AlertDeps, "metadata">): Promise<number> {
	const reseal = (siteId: string, text: string | null) => (text === null ? null : sealerOf(deps).reseal(siteId, text));
	return resealRows(
		await listRulesWithAddresses(deps.metadata),
		(row) => ({
			sealed_slack_url: reseal(row.site_id, row.sealed_slack_url),
			sealed_webhook_url: reseal(row.site_id, row.sealed_webhook_url),
		}),
		(row, columns: SealedColumns) => replaceSealed(deps.metadata, row, columns),
	);
}
