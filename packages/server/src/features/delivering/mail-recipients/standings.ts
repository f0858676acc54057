import { findSiteFor } from "../../../access/index.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { EventStore } from "../../../platform/event-store/event-store.ts";
import type { Jobs } from "../../../platform/jobs/jobs.ts";
import { DAY_MS } from "../../../platform/lib/durations.ts";
import { createValueSealer, type ServerSecrets } from "../../../platform/lib/sealer.ts";
import type { Log } from "../../../platform/log/log.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { Mailer } from "../../../platform/outbound/mail/mailer.ts";
import { plainName } from "../../../platform/outbound/mail/plain-text.ts";
import type { ChangeDeps } from "../../auditing/audit-log/index.ts";
import { type CountedHits, isKnownUser, type SiteDirectory } from "../../tenancy/sites/index.ts";
import { type AccountRow, type AnswerRow, askInTurn, listAccounts, mailRecipients } from "./store.ts";

interface LinkDeps extends ServerSecrets {
	readonly rootUrl: string;
}

export interface SiteMailDeps extends ChangeDeps, LinkDeps {
	readonly jobs: Jobs;
	readonly mailer: Mailer;
	readonly sites: Pick<SiteDirectory, "get">;
}

/** Dependencies of jobs that watch the figures of sites and write mails. */
export interface WatchDeps extends SiteMailDeps {
	readonly eventStore: EventStore;
	readonly log: Log;
	/** Hits of a site that were counted and refused in the last minutes. */
	readonly refused: CountedHits;
	/** True once every hit that was accepted before a moment, here or elsewhere, is in the event store; false when that takes too long. */
	readonly isCaughtUp: (until: number) => Promise<boolean>;
}

export interface Recipient {
	readonly siteId: string;
	readonly email: string;
	readonly askedAt: number;
}

/** Neither address nor site can be read from a token, or changed. */
const sealerOf = (secrets: ServerSecrets) =>
	createValueSealer<[siteId: string, email: string, askedAt: number]>(secrets, "mail-recipients");

export const recipientLink = (deps: LinkDeps, { siteId, email, askedAt }: Recipient): string =>
	`${deps.rootUrl}/mail-recipients?token=${sealerOf(deps).seal([siteId, email, askedAt])}`;

export function readRecipientToken(secrets: ServerSecrets, token: string): Recipient | undefined {
	const opened = sealerOf(secrets).open(token);
	if (opened === undefined) return undefined;
	const [siteId, email, askedAt] = opened;
	return { siteId, email, askedAt };
}

/** How long somebody may take to answer. */
export const ANSWER_MS = 7 * DAY_MS;

/** Why somebody gets mails about a site (`user`, `agreed`), or why not. */
type StandingName = "user" | "agreed" | "asked" | "refused" | "deactivated" | "stranger";

export interface Standing {
	readonly email: string;
	readonly name: StandingName;
	/** When it was asked last; undefined when it never was. */
	readonly askedAt: number | undefined;
}

export const maybeMailed = ({ name }: Standing): boolean => name === "user" || name === "agreed";

/**
 * How addresses stand to a site at a moment, in their order: users who can open it, people who agreed, and others. An
 * account with an unconfirmed address does not count as a user. Of accounts that have no part in the site nothing shows.
 */
export async function standingsOf(
	metadata: Metadata,
	{ siteId, emails, nowMs }: { readonly siteId: string; readonly emails: readonly string[]; readonly nowMs: number },
): Promise<Standing[]> {
	if (emails.length === 0) return [];
	const accounts = new Map((await listAccounts(metadata, emails)).map((account) => [account.email, account]));
	const answered = await mailRecipients.list(metadata, { site_id: siteId, email: emails });
	const answers = new Map(answered.map((answer) => [answer.email, answer]));
	const standings: Standing[] = [];
	for (const email of emails) {
		const [account, answer] = [accounts.get(email), answers.get(email)];
		const outside = outsideOf(answer, nowMs);
		const hasPart = account !== undefined && (await isOfSite(metadata, siteId, account));
		const name = account === undefined ? outside : nameOf(account, hasPart, outside);
		standings.push({ email, name, askedAt: answer?.asked_at });
	}
	return standings;
}

function nameOf(account: AccountRow, hasPart: boolean, outside: StandingName): StandingName {
	if (account.is_active === 0) return hasPart || outside === "agreed" ? "deactivated" : outside;
	return hasPart && account.email_verified_at !== null ? "user" : outside;
}

/** Superadmins reach every site, and have a part only in those where somebody gave them one. */
async function isOfSite(metadata: Metadata, siteId: string, { id, role }: AccountRow): Promise<boolean> {
	const site = await findSiteFor(metadata, siteId, id);
	if (site?.role === undefined) return false;
	return role !== "superadmin" || isKnownUser(metadata, site.organizationId, id);
}

function outsideOf(answer: AnswerRow | undefined, nowMs: number): StandingName {
	if (answer === undefined) return "stranger";
	if (answer.refused_at !== null) return "refused";
	if (answer.agreed_at !== null) return "agreed";
	return answer.asked_at > nowMs - ANSWER_MS ? "asked" : "stranger";
}

const MAX_OF_SITE = 30;
/** Questions to one address in a day, for whichever sites. */
const MAX_TO_ADDRESS = 3;

/**
 * Asks the external recipients among some addresses whether they want mails about a site, in the transaction that names
 * them. An address that has refused is not asked again, nor one that many sites ask for. Throws `rate_limit_exceeded`
 * if the site has asked too many people in a day.
 */
export async function askStrangers(
	deps: Omit<SiteMailDeps, "metadata" | "jobs">,
	trx: Metadata,
	{ siteId, emails }: { readonly siteId: string; readonly emails: readonly string[] },
): Promise<void> {
	const nowMs = deps.clock.now();
	const standings = await standingsOf(trx, { siteId, emails, nowMs });
	const strangers = standings.filter(({ name }) => name === "stranger");
	if (strangers.length === 0) return;
	await askInTurn(trx);
	const lately = { asked_at: { ">": nowMs - DAY_MS } };
	const asked = await mailRecipients.list(trx, { site_id: siteId, ...lately }, "asked_at");
	if (asked.length + strangers.length > MAX_OF_SITE) {
		throw new ServiceError("rate_limit_exceeded", {
			message: `A site asks at most ${MAX_OF_SITE} new recipients in a day`,
			retryAfter: Math.max(1, Math.ceil(((asked[0]?.asked_at ?? nowMs) + DAY_MS - nowMs) / 1000)),
		});
	}
	const name = plainName(deps.sites.get(siteId)?.name ?? siteId);
	const accounts = await listAccounts(trx, emails);
	const shut = new Set(accounts.filter(({ is_active }) => is_active === 0).map(({ email }) => email));
	for (const { email } of strangers) {
		if ((await mailRecipients.count(trx, { email, ...lately })) >= MAX_TO_ADDRESS) continue;
		const asking = { site_id: siteId, email, asked_at: nowMs };
		await mailRecipients.upsert(trx, asking, ["site_id", "email"], { asked_at: nowMs });
		// A suspended account gets no mail, and the answer does not reveal that the account exists.
		if (shut.has(email)) continue;
		const link = recipientLink(deps, { siteId, email, askedAt: nowMs });
		await deps.mailer.queue(trx, { to: email, ...question(name, link) });
	}
}

const question = (site: string, link: string) => ({
	subject: `Receive emails about ${site}?`,
	body: [
		`Someone who manages the site ${site} added this address as a recipient of its reports and alerts.`,
		"You receive nothing unless you agree.",
		{ link, label: "Answer" },
		"The link works for 7 days. If you did not expect this email, ignore it.",
	],
});
