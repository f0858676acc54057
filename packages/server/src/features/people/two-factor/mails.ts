import type { Mail } from "../../../platform/outbound/mail/mailer.ts";
import type { UserRow } from "../users/index.ts";

type Addressee = Pick<UserRow, "email" | "name">;

const notice = (user: Addressee, subject: string, ...paragraphs: readonly string[]): Mail => ({
	to: user.email,
	subject,
	body: [`Hello ${user.name},`, ...paragraphs],
});

const NOT_YOU = "If this wasn't you, change your password at once: someone knows it, or uses one of your devices.";

export const enabledMail = (user: Addressee): Mail =>
	notice(
		user,
		"Two-factor authentication is on",
		"Signing in now requires a code from your authenticator app. Your other sessions were ended.",
		"Keep your backup codes where you can find them without your phone.",
		NOT_YOU,
	);

export const disabledMail = (user: Addressee): Mail =>
	notice(
		user,
		"Two-factor authentication is off",
		"Signing in no longer requires a code. Your backup codes no longer work.",
		NOT_YOU,
	);

export const backupCodesMail = (user: Addressee): Mail =>
	notice(
		user,
		"New backup codes",
		"New backup codes for two-factor authentication were created. The earlier ones no longer work.",
		NOT_YOU,
	);

export const codesLockedMail = (user: Addressee): Mail =>
	notice(
		user,
		"Too many wrong codes",
		"Ten wrong codes were entered for your account, so codes from your authenticator app are rejected for up to a day. Your backup codes still work.",
		"The person who entered them knew your password. If this wasn't you, change it.",
	);
