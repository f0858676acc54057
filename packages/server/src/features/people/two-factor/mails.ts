import type { Mail } from "../../../platform/outbound/mail/mailer.ts";
import type { UserRow } from "../users/index.ts";

const NOT_YOU = "If this wasn't you, change your password at once: someone knows it, or uses one of your devices.";

/** Subject and paragraphs of each notice. */
const notices = {
	enabled: [
		"Two-factor authentication is on",
		"Signing in now requires a code from your authenticator app. Your other sessions were ended.",
		"Keep your backup codes where you can find them without your phone.",
		NOT_YOU,
	],
	disabled: [
		"Two-factor authentication is off",
		"Signing in no longer requires a code. Your backup codes no longer work.",
		NOT_YOU,
	],
	backupCodes: [
		"New backup codes",
		"New backup codes for two-factor authentication were created. The earlier ones no longer work.",
		NOT_YOU,
	],
	codesLocked: [
		"Too many wrong codes",
		"Ten wrong codes were entered for your account, so codes from your authenticator app are rejected for up to a day. Your backup codes still work.",
		"The person who entered them knew your password. If this wasn't you, change it.",
	],
} as const;

export function noticeMail(user: Pick<UserRow, "email" | "name">, notice: keyof typeof notices): Mail {
	const [subject, ...paragraphs] = notices[notice];
	return { to: user.email, subject, body: [`Hello ${user.name},`, ...paragraphs] };
}
