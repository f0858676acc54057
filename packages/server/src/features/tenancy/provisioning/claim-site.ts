import { DAY_MS } from "../../../platform/lib/durations.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { Mailer } from "../../../platform/outbound/mail/mailer.ts";
import { type Actor, recordAudit, systemActor, userActor } from "../../auditing/audit-log/index.ts";
import {
	type AuthDeps,
	type Client,
	finishSignIn,
	linkIsDead,
	type SignInOutcome,
	userOfLink,
} from "../../people/auth/index.ts";
import { endOneTimeTokens, issueOneTimeToken, takeOneTimeToken } from "../../people/one-time-tokens/index.ts";
import {
	checkPasswordPolicy,
	hashPassword,
	lockUnclaimed,
	setFirstPassword,
	type UserRow,
} from "../../people/users/index.ts";
import { changeSites, countSiteChange, type SiteChangeDeps, setSiteActive } from "../sites/index.ts";
import { provisionedSites } from "./store.ts";

interface ChannelKey {
	readonly key: string;
	readonly channel: string;
}

/** Dependencies of claiming a site. */
export interface ClaimDeps extends AuthDeps, SiteChangeDeps {
	readonly mailer: Pick<Mailer, "queue">;
	/** Address that links lead to, without a slash at its end. */
	readonly rootUrl: string;
}

export interface ProvisioningDeps extends ClaimDeps {
	/** Whether sites may be provisioned at all. */
	readonly provisioningEnabled: boolean;
	/** Keys from the configuration, beside the stored ones. */
	readonly provisionKeys: readonly ChannelKey[];
}

interface Claim {
	readonly token: string;
	readonly password: string;
	readonly name?: string | undefined;
}

/**
 * Gives the user of a provisioned site a password, counts the address as verified, and signs in.
 * Throws `bad_request` for a link that is dead, `rate_limit_exceeded` after 20 of them, `validation_error` on `body.password`.
 */
export async function claimSite(deps: ClaimDeps, input: Claim, client: Client): Promise<SignInOutcome> {
	const user = await checkClaimLink(deps, "provision_claim", input.token, client.ip);
	checkPasswordPolicy(input.password, user.email);
	const passwordHash = await hashPassword(input.password);
	const now = deps.clock.now();
	const claimed = await changeSites(deps, [], async (trx) => {
		const subject = await takeOneTimeToken(trx, "provision_claim", input.token, now);
		if (subject !== String(user.id)) throw linkIsDead();
		const row = await setFirstPassword(trx, user.id, { passwordHash, name: input.name ?? user.name }, now);
		if (row === undefined) throw linkIsDead();
		await endOneTimeTokens(trx, "provision_claim_resend", user.id);
		await wakeSite(trx, user.id, userActor(user.id, client.ip), now);
		for (const action of ["user.email_verified", "user.password_changed"] as const) {
			await recordAudit(trx, userActor(user.id, client.ip), { action, resourceId: user.id }, now);
		}
		return row;
	});
	return finishSignIn(deps, claimed, client);
}

/** Mails a new claim link to the user whom a token of `POST /provision` belongs to; throws `bad_request` for a dead one. */
export async function resendClaim(deps: ClaimDeps, token: string, ip: string): Promise<void> {
	const { id, email } = await checkClaimLink(deps, "provision_claim_resend", token, ip);
	await deps.metadata.transaction().execute(async (trx) => {
		const siteId = (await siteOf(trx, id))?.site_id;
		if (siteId === undefined) throw linkIsDead();
		await queueClaimMail(deps, trx, { userId: id, email, siteId });
		const entry = { action: "invitation.resent", resourceId: id, siteId } as const;
		await recordAudit(trx, systemActor, { ...entry, details: { kind: "provision_claim" } }, deps.clock.now());
	});
}

type LinkKind = "provision_claim" | "provision_claim_resend";

/** The user of a link that can still be used, without using it; throws `bad_request` for a dead one. */
export const checkClaimLink = (deps: ClaimDeps, kind: LinkKind, token: string, ip: string): Promise<UserRow> =>
	userOfLink(deps, kind, token, ip, ({ password_hash }) => password_hash === null);

interface Recipient {
	readonly userId: number;
	readonly email: string;
	/** The slug: the name of the site is text of a stranger and could be a web address. */
	readonly siteId: string;
	/** The key of the site, which is known only when it is made. */
	readonly apiKey?: string;
}

/** Queues the mail with a new claim link, which ends the link before it. */
export async function queueClaimMail(
	deps: Pick<ProvisioningDeps, "clock" | "mailer" | "rootUrl">,
	trx: Metadata,
	{ userId, email, siteId, apiKey }: Recipient,
): Promise<void> {
	const { token } = await issueOneTimeToken(trx, "provision_claim", userId, deps.clock.now());
	await deps.mailer.queue(trx, {
		to: email,
		subject: `Your site ${siteId} is ready`,
		body: [
			`Footfall is set up to track visits of ${siteId}. Choose a password to claim the site.`,
			{ link: `${deps.rootUrl}/claim?token=${token}`, label: "Choose a password" },
			"The link works once, within 7 days.",
			...(apiKey === undefined ? [] : keyParagraphs(apiKey)),
			"If you did not expect this email, ignore it: a site that is not claimed stops tracking after 90 days.",
		],
	});
}

const keyParagraphs = (apiKey: string): string[] => [
	`The site's API key: ${apiKey}`,
	"It can read reports and settings, cannot change anything and never expires. The person who set up the site has it too; you can revoke it in your API keys.",
];

const UNCLAIMED_DAYS = 90;
/** Sites looked at in one transaction. */
const PORTION = 100;

/** Makes provisioned sites inactive whose user has not come in 90 days; reports stay readable. Answers how many. */
export async function endUnclaimedSites(deps: SiteChangeDeps): Promise<number> {
	const now = deps.clock.now();
	let ended = 0;
	for (let portion = PORTION; portion === PORTION; ) {
		portion = await changeSites(deps, [], async (trx) => {
			const unsettled = { settled_at: null, created_at: { "<=": now - UNCLAIMED_DAYS * DAY_MS } };
			const old = await provisionedSites.first(trx, PORTION, unsettled, "created_at", "site_id");
			const asleep: string[] = [];
			for (const { site_id: siteId, user_id: userId } of old) {
				await provisionedSites.update(trx, { site_id: siteId }, { settled_at: now });
				// The lock lets a claim that is on its way wait, and wake the site again.
				if (!(await lockUnclaimed(trx, userId))) continue;
				if (await setActive(trx, siteId, false, systemActor, now)) asleep.push(siteId);
			}
			// At the end: a claim holds its user's lock when it counts.
			await countSiteChange(trx, asleep);
			ended += asleep.length;
			return old.length;
		});
	}
	return ended;
}

/** Brings back the site of a user who claims it late, within the transaction that claims it. */
export async function wakeSite(trx: Metadata, userId: number, actor: Actor, nowMs: number): Promise<void> {
	const provisioned = await siteOf(trx, userId);
	if (provisioned === undefined || provisioned.settled_at === null) return;
	const { site_id: siteId } = provisioned;
	if (await setActive(trx, siteId, true, actor, nowMs)) await countSiteChange(trx, [siteId]);
}

const siteOf = (trx: Metadata, userId: number) => provisionedSites.find(trx, { user_id: userId }, "created_at");

async function setActive(trx: Metadata, siteId: string, isActive: boolean, actor: Actor, nowMs: number) {
	const changed = await setSiteActive(trx, siteId, isActive, nowMs);
	if (!changed) return false;
	const details = { is_active: [!isActive, isActive] };
	await recordAudit(trx, actor, { action: "site.updated", resourceId: siteId, siteId, details }, nowMs);
	return true;
}
