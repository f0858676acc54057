import type { Mail } from "../../../platform/outbound/mail/mailer.ts";
import type { Rule } from "./rule.ts";

/** What a mail says of an alert. */
export const alertMail = (
	site: string,
	{ name, description }: Rule,
	{ message, severity, isTest }: { readonly message: string; readonly severity: string; readonly isTest: boolean },
): Omit<Mail, "to"> => ({
	subject: `${isTest ? "Test: " : ""}[${severity}] ${site}: ${name}`,
	body: [
		...(isTest ? ["This is a test of an alert rule. Nothing has happened."] : []),
		message,
		...(description === null || description === "" ? [] : [description]),
		`You get this mail because the alert rule "${name}" of the site ${site} names you, or because the site is yours. Whoever manages the site can change the rule.`,
	],
});
