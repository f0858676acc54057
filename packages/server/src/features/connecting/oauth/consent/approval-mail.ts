import type { Mail } from "../../../../platform/outbound/mail/mailer.ts";
import { redirectHost } from "../clients/redirect-uri.ts";

/** The approved access. */
export interface Approval {
	readonly clientName: string;
	readonly redirectUri: string;
	readonly site: { readonly id: string; readonly name: string };
	/** Whether the access lasts beyond an hour. */
	readonly isLasting: boolean;
	/** Milliseconds since the Unix epoch. */
	readonly at: number;
}

const moment = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });

/** Tells a user of an app that was let in, so that no approval is silent: neither their own nor one in their name. */
export const approvalMail = (rootUrl: string, approval: Approval): Omit<Mail, "to"> => ({
	subject: "An app was allowed to read a site of yours",
	body: [...approvalLines(rootUrl, approval), ...waysOut(rootUrl)],
});

/** The same for an address that nobody has confirmed: nothing in it was written by whoever signed up, or by the app. */
export const unconfirmedApprovalMail = (rootUrl: string): Omit<Mail, "to"> => ({
	subject: "An app was allowed to read a site of yours",
	body: [
		`Somebody who registered this address with Footfall at ${rootUrl} allowed an app to read the site that they made.`,
		...waysOut(rootUrl),
	],
});

const approvalLines = (rootUrl: string, { clientName, redirectUri, site, isLasting, at }: Approval): string[] => [
	`You allowed the app “${clientName}” to read the site “${site.name}” (${site.id}) of your account with Footfall at ${rootUrl}.`,
	`The app chose its name itself. Its answer went to: ${redirectHost(redirectUri)}`,
	`Allowed on: ${moment.format(at)} UTC`,
	isLasting
		? "It can read until you end the connection, or until it is not used for 30 days."
		: "It can read for an hour.",
];

const waysOut = (rootUrl: string): Mail["body"] => [
	{ link: `${rootUrl}/docs#/Connections`, label: "See and end your connections" },
	"If it was not you, choose a new password: that signs everybody out, and ends the access of all apps.",
	{ link: `${rootUrl}/reset-password`, label: "Choose a new password" },
];
