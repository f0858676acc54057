import type { Mail } from "../../../platform/outbound/mail/mailer.ts";
import type { UserRow } from "../users/index.ts";

type Addressee = Pick<UserRow, "email" | "name">;

const notice = (user: Addressee, subject: string, ...paragraphs: readonly string[]): Mail => ({
	to: user.email,
	subject,
	body: [`Hello ${user.name},`, ...paragraphs],
});

const NOT_YOU = "If this was not you, change your password at once: somebody knows it, or uses a device of yours.";

/** Tells that signing in asks for a code from now on. */
export const enabledMail = (user: Addressee): Mail =>
	notice(
		user,
		"Two-factor authentication is on",
		"From now on, signing in asks for a code of your authenticator app. Your other sessions were ended.",
		"Keep your backup codes where you find them without your phone.",
		NOT_YOU,
	);

/** Tells that the password alone is enough again. */
export const disabledMail = (user: Addressee): Mail =>
	notice(
		user,
		"Two-factor authentication is off",
		"Signing in no longer asks for a code. Your backup codes have no effect any more.",
		NOT_YOU,
	);

/** Tells that the backup codes on the user's paper are dead. */
export const backupCodesMail = (user: Addressee): Mail =>
	notice(
		user,
		"New backup codes",
		"New backup codes for two-factor authentication were made. The earlier ones have no effect any more.",
		NOT_YOU,
	);

/** Tells that somebody who knows the password guesses codes. */
export const codesLockedMail = (user: Addressee): Mail =>
	notice(
		user,
		"Too many wrong codes",
		"Ten wrong codes were given for your account, so codes of your authenticator app are refused for up to a day. Your backup codes work.",
		"Whoever gave them knew your password. If this was not you, change it.",
	);
