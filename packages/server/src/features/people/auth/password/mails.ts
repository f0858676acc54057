import { ServiceError } from "../../../../platform/errors/service-error.ts";
import { HOUR_MS } from "../../../../platform/lib/durations.ts";
import type { Mail } from "../../../../platform/outbound/mail/mailer.ts";
import { countAttempt, type FailureDeps } from "../../failure-limits/index.ts";

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
