import { ServiceError } from "../../../platform/errors/service-error.ts";
import { sha256Hex } from "../../../platform/lib/crypto.ts";
import { HOUR_MS } from "../../../platform/lib/durations.ts";
import type { Mail, Mailer } from "../../../platform/outbound/mail/mailer.ts";
import { countAttempt, type FailureDeps } from "../failure-limits/index.ts";
import { issueOneTimeToken } from "../one-time-tokens/index.ts";
import type { MailingAuthDeps } from "./deps.ts";

/**
 * Owner of a token when there is no account to mail it to. The work is done all the same, as a quicker answer would
 * reveal that. 256 owners keep such tokens few and avoid contention.
 */
export const decoyOwner = (email: string): string => `nobody-${sha256Hex(email).slice(0, 2)}`;

type Content = Omit<Mail, "to">;

/** Mail of a registration. It contains no text of the registrant, who may be a stranger to the address. */
export const verificationMail = (rootUrl: string, token: string): Content => ({
	subject: "Confirm your email address",
	body: [
		`Someone registered this address with Footfall at ${rootUrl}. Confirm it to use the account.`,
		{ link: `${rootUrl}/verify-email?token=${token}`, label: "Confirm address" },
		"The link works once, within 24 hours. After that you can request another one.",
		"If you did not register, ignore this email: the account stays inactive.",
	],
});

/** Mail of a repeated registration while the address is not confirmed. */
export const repeatedVerificationMail = (rootUrl: string, token: string): Content => {
	const { subject, body } = verificationMail(rootUrl, token);
	return {
		subject,
		body: [
			...body,
			"The address was registered before, and the password is still the first one. If you do not know it, choose another when you confirm the address.",
		],
	};
};

/** Mail of a registration with the address of an existing account. */
export const registrationNotice = (rootUrl: string): Content => ({
	subject: "Your email address was used to register",
	body: [
		`Someone tried to register this address with Footfall at ${rootUrl}. It already has an account, and nothing was changed.`,
		"If this was you, sign in with your password, or request a new one.",
		"If this wasn't you, you don't need to do anything.",
	],
});

export const resetMail = (rootUrl: string, token: string): Content => ({
	subject: "Choose a new password",
	body: [
		`Someone requested a new password for your account with Footfall at ${rootUrl}.`,
		{ link: `${rootUrl}/reset-password?token=${token}`, label: "Choose a new password" },
		"The link works once, within one hour. It ends all your sessions and the access of connected apps.",
		"If this wasn't you, ignore this email: your password stays the same.",
	],
});

export const passwordChangedMail = (rootUrl: string): Content => ({
	subject: "Your password was changed",
	body: [
		`The password of your account with Footfall at ${rootUrl} was changed. Other sessions were ended.`,
		"If this wasn't you, request a new password at once.",
	],
});

/** `keys`: the API keys of the user that go on, by name and first characters. */
export const passwordResetMail = (rootUrl: string, keys: readonly string[]): Content => ({
	subject: "Your password was changed",
	body: [
		`The password of your account with Footfall at ${rootUrl} was changed with an emailed link. All sessions and the access of connected apps were ended.`,
		...(keys.length === 0
			? []
			: [
					"Your API keys still work. Revoke those you do not recognize:",
					{ rows: keys.map((key) => [key]) },
					{ link: `${rootUrl}/account/tokens`, label: "API keys" },
				]),
		"If this wasn't you, request a new password at once, and change the one of your mailbox: someone can read it.",
	],
});

const mailsToAnAddress = { name: "account-mail", failures: 5, windowMs: HOUR_MS } as const;

/**
 * False once an address got five mails in an hour from public forms, regardless of the sender, so that a mailbox cannot be
 * flooded. The answer to the sender is the same.
 */
export async function mayMail(deps: FailureDeps, email: string): Promise<boolean> {
	try {
		await countAttempt(deps, mailsToAnAddress, email);
		return true;
	} catch (error) {
		if (error instanceof ServiceError && error.code === "rate_limit_exceeded") return false;
		throw error;
	}
}

const confirmLink = (rootUrl: string, token: string) => ({
	link: `${rootUrl}/change-address?token=${token}`,
	label: "Review the change",
});

/** To the address of the account, which somebody with the password wants to give up for another one. */
export const leaveAddressMail = (rootUrl: string, token: string, newEmail: string): Content => ({
	subject: "Confirm the change of your email address",
	body: [
		`Someone asked to change the address of your account with Footfall at ${rootUrl} to ${newEmail}. Confirm it here, and with the email that was sent there.`,
		confirmLink(rootUrl, token),
		"The link works once, within 24 hours. Nothing changes until both addresses have confirmed.",
		"If this wasn't you, do not confirm, and change your password at once: someone knows it.",
	],
});

/** To the address that an account is to have. It contains no text of the requester, who may not own the address. */
export const takeAddressMail = (rootUrl: string, token: string): Content => ({
	subject: "Confirm your new email address",
	body: [
		`Someone wants to use this address for an account with Footfall at ${rootUrl}. Confirm it here, and with the email that was sent to the current address.`,
		confirmLink(rootUrl, token),
		"The link works once, within 24 hours. Nothing changes until both addresses have confirmed.",
		"If this wasn't you, ignore this email.",
	],
});

/** To an address that was to be another account's and has one of its own. */
export const addressInUseMail = (rootUrl: string): Content => ({
	subject: "Your email address was entered for another account",
	body: [
		`Someone tried to use this address for another account with Footfall at ${rootUrl}. It already has an account, and nothing was changed.`,
		"An address can have one account: close that account, or choose another address.",
		"If this wasn't you, you don't need to do anything.",
	],
});

/** To the old address. */
export const addressLeftMail = (rootUrl: string, newEmail: string): Content => ({
	subject: "Your email address was changed",
	body: [
		`The address of your account with Footfall at ${rootUrl} is now ${newEmail}. Other sessions were ended, and emails are no longer sent here.`,
		"If this wasn't you, contact the operator of the service at once: someone can read your email.",
	],
});

/** To the address of now. */
export const addressTakenMail = (rootUrl: string): Content => ({
	subject: "Your email address was confirmed",
	body: [`From now on, sign in to Footfall at ${rootUrl} with this address. Your password stays the same.`],
});

/** The answer to a request for a link, the same for every address; `condition` says which addresses get one. */
export const linkSent = (
	{ isOutbox }: Pick<Mailer, "isOutbox">,
	condition: "has an account" | "is not confirmed yet",
): string =>
	isOutbox
		? `This server doesn't send email. If the address ${condition}, its operator finds a link in DATA_DIR/outbox`
		: `If the address ${condition}, we have sent a link`;

/** Mails a user a link; does as much work where there is no `owner`, and sends nothing: a quicker answer would reveal that. */
export async function mailLink(
	{ metadata, mailer, rootUrl, clock }: MailingAuthDeps,
	email: string,
	link: {
		readonly kind: "email_verification" | "password_reset";
		readonly owner: number | undefined;
		readonly mail: (rootUrl: string, token: string) => Content;
	},
): Promise<void> {
	const { kind, owner = decoyOwner(email), mail } = link;
	await metadata.transaction().execute(async (trx) => {
		const { token } = await issueOneTimeToken(trx, kind, owner, clock.now());
		await mailer[link.owner === undefined ? "pretend" : "queue"](trx, { ...mail(rootUrl, token), to: email });
	});
}
