import type { Mail } from "../../../../platform/outbound/mail/mailer.ts";

type Content = Omit<Mail, "to">;

/** Mail of a registration. It contains no text of the registrant, who may be a stranger to the address. */
export const verificationMail = (rootUrl: string, token: string): Content => ({
	subject: "Confirm your e-mail address",
	body: [
		`Somebody registered this address with Footfall at ${rootUrl}. Confirm it to use the account.`,
		{ link: `${rootUrl}/verify-email?token=${token}`, label: "Confirm the address" },
		"The link works once and for 24 hours. After that you can ask for another one.",
		"If you did not register, ignore this message: the account stays closed.",
	],
});

/** Mail of a repeated registration while the address is not confirmed. */
export const repeatedVerificationMail = (rootUrl: string, token: string): Content => {
	const { subject, body } = verificationMail(rootUrl, token);
	return {
		subject,
		body: [
			...body,
			"The address was registered before, and the password is still the one that was given first. If you do not know that one, choose another when you confirm the address.",
		],
	};
};

/** Mail of a registration with the address of an existing account. */
export const registrationNotice = (rootUrl: string): Content => ({
	subject: "Your e-mail address was used to register",
	body: [
		`Somebody tried to register this address with Footfall at ${rootUrl}. It has an account already, and nothing was changed.`,
		"If it was you, sign in with the password you have, or ask for a new one.",
		"If it was not you, there is nothing to do.",
	],
});

export const resetMail = (rootUrl: string, token: string): Content => ({
	subject: "Choose a new password",
	body: [
		`Somebody asked for a new password for your account with Footfall at ${rootUrl}.`,
		{ link: `${rootUrl}/reset-password?token=${token}`, label: "Choose a new password" },
		"The link works once and for one hour. It signs you out everywhere, and ends the access of apps that you connected.",
		"If it was not you, ignore this message: your password stays as it is.",
	],
});

export const passwordChangedMail = (rootUrl: string): Content => ({
	subject: "Your password was changed",
	body: [
		`The password of your account with Footfall at ${rootUrl} was changed, and other sessions were ended.`,
		"If it was not you, ask for a new password at once.",
	],
});

/** `keys`: the API keys of the user that go on, by name and first characters. */
export const passwordResetMail = (rootUrl: string, keys: readonly string[]): Content => ({
	subject: "Your password was changed",
	body: [
		`The password of your account with Footfall at ${rootUrl} was changed by a link in a mail. All sessions were ended, and the access of all apps that you had connected.`,
		...(keys.length === 0
			? []
			: [
					"Your API keys still work. Revoke those that you do not know:",
					{ rows: keys.map((key) => [key]) },
					{ link: `${rootUrl}/account/tokens`, label: "API keys" },
				]),
		"If it was not you, ask for a new password at once, and change that of your mailbox: somebody reads it.",
	],
});
