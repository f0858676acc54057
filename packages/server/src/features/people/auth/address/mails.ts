import type { Mail } from "../../../../platform/outbound/mail/mailer.ts";

type Content = Omit<Mail, "to">;

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
