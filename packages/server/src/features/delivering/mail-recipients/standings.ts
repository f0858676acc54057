import { findSiteFor } from "../../../access/index.ts";
import { DAY_MS } from "../../../platform/lib/durations.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { isKnownUser } from "../../tenancy/sites/index.ts";
import { type AccountRow, type AnswerRow, listAccounts, listAnswers } from "./store.ts";

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
	const answers = new Map((await listAnswers(metadata, siteId, emails)).map((answer) => [answer.email, answer]));
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
