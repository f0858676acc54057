import { createSealer, type ServerSecrets } from "../../../platform/lib/sealer.ts";
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

/** The columns sealed with the server's present secret: null = they are already, undefined = they cannot be decrypted. */
function resealed(
	secrets: ServerSecrets,
	row: SealedColumns & Pick<RuleRow, "site_id">,
): SealedColumns | null | undefined {
	const reseal = (text: string | null) => (text === null ? null : sealerOf(secrets).reseal(row.site_id, text));
	const [slack, webhook] = [reseal(row.sealed_slack_url), reseal(row.sealed_webhook_url)];
	if (slack === undefined || webhook === undefined) return undefined;
	if (slack === row.sealed_slack_url && webhook === row.sealed_webhook_url) return null;
	return { sealed_slack_url: slack, sealed_webhook_url: webhook };
}

/** The visible part of a secret address. */
export const maskedAddress = (url: string | null): string | null => (url === null ? null : `${new URL(url).origin}/…`);

/**
 * Seals the addresses of rules with the server's present secret, so that the one before it can be forgotten. Answers how
 * many rules hold an address that cannot be opened with either.
 */
export async function resealRules(deps: ServerSecrets & Pick<AlertDeps, "metadata">): Promise<number> {
	let lost = 0;
	for (const row of await listRulesWithAddresses(deps.metadata)) {
		const columns = resealed(deps, row);
		if (columns === undefined) lost++;
		else if (columns !== null) await replaceSealed(deps.metadata, row, columns);
	}
	return lost;
}
