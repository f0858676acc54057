import { ServiceError } from "../../../platform/errors/service-error.ts";
import { recordAudit, systemActor, userActor } from "../../auditing/audit-log/index.ts";
import { type Client, finishSignIn, type SignInOutcome } from "../../people/auth/index.ts";
import {
	countTokenAttempt,
	endOneTimeTokens,
	findOneTimeToken,
	takeOneTimeToken,
} from "../../people/one-time-tokens/index.ts";
import {
	checkPasswordPolicy,
	findUser,
	hashPassword,
	setFirstPassword,
	type UserRow,
} from "../../people/users/index.ts";
import { changeSites } from "../sites/index.ts";
import { queueClaimMail } from "./claim-mail.ts";
import type { ClaimDeps } from "./deps.ts";
import { siteOf, wakeSite } from "./unclaimed-sites.ts";

const deadLink = () => new ServiceError("bad_request", { message: "The link is no longer valid" });

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
	const user = await unclaimedUser(deps, "provision_claim", input.token, client.ip);
	checkPasswordPolicy(input.password, user.email);
	const passwordHash = await hashPassword(input.password);
	const now = deps.clock.now();
	const claimed = await changeSites(deps, [], async (trx) => {
		const subject = await takeOneTimeToken(trx, "provision_claim", input.token, now);
		if (subject !== String(user.id)) throw deadLink();
		const row = await setFirstPassword(trx, user.id, { passwordHash, name: input.name ?? user.name }, now);
		if (row === undefined) throw deadLink();
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
	const { id, email } = await unclaimedUser(deps, "provision_claim_resend", token, ip);
	await deps.metadata.transaction().execute(async (trx) => {
		const site = await siteOf(trx, id);
		if (site === undefined) throw deadLink();
		await queueClaimMail(deps, trx, { userId: id, email, siteId: site.id });
		const entry = { action: "invitation.resent", resourceId: id, siteId: site.id } as const;
		await recordAudit(trx, systemActor, { ...entry, details: { kind: "provision_claim" } }, deps.clock.now());
	});
}

type LinkKind = "provision_claim" | "provision_claim_resend";

/** Looks whether a link can still be used, without using it; throws `bad_request` for a dead one. */
export async function checkClaimLink(deps: ClaimDeps, kind: LinkKind, token: string, ip: string): Promise<void> {
	await unclaimedUser(deps, kind, token, ip);
}

async function unclaimedUser(deps: ClaimDeps, kind: LinkKind, token: string, ip: string): Promise<UserRow> {
	const attempt = await countTokenAttempt(deps, ip);
	const state = await findOneTimeToken(deps.metadata, kind, token, deps.clock.now());
	if (state === undefined || state.isExpired) throw deadLink();
	const user = await findUser(deps.metadata, Number(state.subject));
	if (user === undefined || user.is_active !== 1 || user.password_hash !== null) throw deadLink();
	await attempt.takeBack();
	return user;
}
