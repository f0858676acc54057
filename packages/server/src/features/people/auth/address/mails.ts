import type { Mail } from "../../../../platform/outbound/mail/mailer.ts";

type Content = Omit<Mail, "to">;

const confirmLink = (rootUrl: string, token: string) => ({
	link: `${rootUrl}/change-address?token=${token}`,
	label: "Look at the change",
});

/** To the address of the account, which somebody with the password wants to give up for another one. */
export const leaveAddressMail = (rootUrl: string, token: string, newEmail: string): Content => ({
	subject: "Confirm the change of your e-mail address",
	body: [
		`Your account with Footfall at ${rootUrl} is to have another address: ${newEmail}. Confirm it here, and by the mail that was sent there.`,
		confirmLink(rootUrl, token),
		"The link works once and for 24 hours. Nothing changes until both addresses have confirmed.",
		"If it was not you, do not confirm, and change your password at once: somebody knows it.",
	],
});

/** To the address that an account is to have. It contains no text of the requester, who may not own the address. */
export const takeAddressMail = (rootUrl: string, token: string): Content => ({
	subject: "Confirm your new e-mail address",
	body: [
		`Somebody wants to use this address for an account with Footfall at ${rootUrl}. Confirm it here, and by the mail that was sent to the address of before.`,
		confirmLink(rootUrl, token),
		"The link works once and for 24 hours. Nothing changes until both addresses have confirmed.",
		"If it was not you, ignore this message.",
	],
});

/** To an address that was to be another account's and has one of its own. */
export const addressInUseMail = (rootUrl: string): Content => ({
	subject: "Your e-mail address was named for another account",
	body: [
		`Somebody wants to use this address for another account with Footfall at ${rootUrl}. It has an account already, and nothing was changed.`,
		"An address has one account: close the one that has it, or choose another address.",
		"If it was not you, there is nothing to do.",
	],
});

/** To the old address. */
export const addressLeftMail = (rootUrl: string, newEmail: string): Content => ({
	subject: "Your e-mail address was changed",
	body: [
		`Your account with Footfall at ${rootUrl} has the address ${newEmail} now. Other sessions were ended, and mails no longer come here.`,
		"If it was not you, tell the people who run the service at once: somebody reads your mail.",
	],
});

/** To the address of now. */
export const addressTakenMail = (rootUrl: string): Content => ({
	subject: "This is your e-mail address now",
	body: [`Sign in to Footfall at ${rootUrl} with this address from now on. Your password is the same.`],
});
