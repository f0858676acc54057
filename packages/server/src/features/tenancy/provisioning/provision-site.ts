import { ServiceError } from "../../../platform/errors/service-error.ts";
import { uuid } from "../../../platform/lib/ids.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { recordAudit, userActor } from "../../auditing/audit-log/index.ts";
import { addToken } from "../../people/api-tokens/index.ts";
import { issueOneTimeToken } from "../../people/one-time-tokens/index.ts";
import { findUserByEmail, insertUser, normalizeEmail } from "../../people/users/index.ts";
import { addSite, changeSites, type SiteRow } from "../sites/index.ts";
import { queueClaimMail } from "./claim-site.ts";
import type { ProvisioningDeps } from "./deps.ts";
import type { ProvisionInput } from "./read-provision-body.ts";
import { insertProvisionedSite } from "./store.ts";

/** The plan of a provisioned organization, whatever the service's own default is. */
export const PROVISIONED_PLAN = "free";

/** A site that was set up, with the secrets that are shown this once. */
export interface Provisioned {
	readonly site: SiteRow;
	readonly apiKey: string;
	/** Has the claim mail sent again; does not claim. */
	readonly resendToken: string;
}

/** Where a provision comes from. */
interface Source {
	readonly channel: string;
	readonly ip: string;
}

/** Top-level domains that no mail reaches (RFC 6761). */
const unreachable = /\.(invalid|localhost)$/;

/**
 * Makes a user without a password, a personal organization, the site and its read-only key, and mails key and claim link:
 * all of it or nothing. An address that is known or barred is refused with `provision_unavailable`, after the same work
 * done for a placeholder and rolled back, so that the response time reveals nothing.
 */
export async function provisionSite(
	deps: ProvisioningDeps,
	input: ProvisionInput,
	source: Source,
): Promise<Provisioned> {
	const email = normalizeEmail(input.email);
	try {
		return await changeSites(deps, [], async (trx) => {
			const isKnown = (await findUserByEmail(trx, email)) !== undefined;
			const isRefused = isKnown || unreachable.test(email);
			const provisioned = await setUp(deps, trx, { ...input, email: isRefused ? standIn() : email }, source);
			if (isRefused) throw new ServiceError("provision_unavailable");
			return provisioned;
		});
	} catch (error) {
		if (!isRefusal(error)) throw error;
		// Reaching the disk and reading a site again take their time in the other case.
		await changeSites(deps, [NO_SITE], async () => undefined);
		throw new ServiceError("provision_unavailable");
	}
}

/** No slug looks like this. */
const NO_SITE = "-";

/** Somebody else may have taken the address between the look and the insertion. */
const isRefusal = (error: unknown): boolean =>
	error instanceof ServiceError && (error.code === "provision_unavailable" || error.code === "duplicate_entry");

const standIn = () => `${uuid()}@nobody.invalid`;

async function setUp(
	deps: ProvisioningDeps,
	trx: Metadata,
	input: ProvisionInput,
	{ channel, ip }: Source,
): Promise<Provisioned> {
	const now = deps.clock.now();
	const within = { ...deps, metadata: trx };
	const { site_name: siteName, email, install_source: installSource = null } = input;
	const user = await insertUser(trx, newUser(email, input.name ?? siteName, now));
	const actor = userActor(user.id, ip);
	const creator = { userId: user.id, name: user.name, isSuperadmin: false, actor };
	const site = await addSite({ ...within, defaultPlan: PROVISIONED_PLAN }, creator, {
		name: siteName,
		domains: input.domain === undefined ? [] : [input.domain],
		timezone: input.timezone ?? "UTC",
		currency: "EUR",
		orgId: null,
	});
	await insertProvisionedSite(trx, {
		site_id: site.id,
		user_id: user.id,
		channel,
		install_source: installSource,
		created_at: now,
		settled_at: null,
	});
	const { value: apiKey } = await addToken(
		within,
		{ userId: user.id, actor },
		{
			name: `Provisioned by ${channel}`,
			scopes: ["stats:read", "sites:read"],
			siteIds: [site.id],
			expiresInDays: null,
		},
	);
	const details = { channel, install_source: installSource, site_id: site.id };
	await recordAudit(trx, actor, { action: "user.created", resourceId: user.id, siteId: site.id, details }, now);
	const { token: resendToken } = await issueOneTimeToken(trx, "provision_claim_resend", user.id, now);
	await queueClaimMail(deps, trx, { userId: user.id, email, siteId: site.id, apiKey });
	return { site, apiKey, resendToken };
}

const newUser = (email: string, name: string, nowMs: number) => ({
	email,
	name,
	role: "user" as const,
	password_hash: null,
	is_active: 1,
	email_verified_at: null,
	two_factor_enabled_at: null,
	last_login_at: null,
	created_at: nowMs,
	updated_at: nowMs,
});
