import { withoutLinks } from "../../../platform/outbound/mail/plain-text.ts";
import type { Rule } from "./rule.ts";

/** Content of a notification. */
export interface Told {
	readonly message: string;
	readonly severity: string;
	readonly isTest: boolean;
}

/** The mail of an alert. User text in it is never a link. */
export const alertMail = (
	siteName: string,
	{ name: ruleName, description }: Pick<Rule, "name" | "description">,
	{ message, severity, isTest }: Told,
): { readonly subject: string; readonly body: readonly string[] } => {
	const [site, name] = [siteName, ruleName].map(withoutLinks);
	const why = isTest
		? `Whoever manages the site ${site} gets tests of its rules; this one is yours.`
		: `You get this mail because the alert rule "${name}" of the site ${site} names you, or because the site is yours. Whoever manages the site can change the rule.`;
	return {
		subject: `${isTest ? "Test: " : ""}[${severity}] ${site}: ${name}`,
		body: [
			...(isTest ? ["This is a test of an alert rule. Nothing has happened."] : []),
			withoutLinks(message),
			...(description === null || description === "" ? [] : [withoutLinks(description)]),
			why,
		],
	};
};
