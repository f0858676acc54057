import { fieldError } from "../../../platform/errors/service-error.ts";
import { isCommonPassword } from "./common-passwords.ts";

const MIN_LENGTH = 12;
const MAX_LENGTH = 128;
/** A shorter local part is too likely to occur by chance. */
const MIN_LOCAL_PART = 4;

interface Rule {
	readonly refuses: (password: string, email: string) => boolean;
	readonly message: string;
}

const localPart = (email: string): string => email.slice(0, Math.max(0, email.lastIndexOf("@")));

const rules: readonly Rule[] = [
	{ refuses: (password) => [...password].length < MIN_LENGTH, message: `must have at least ${MIN_LENGTH} characters` },
	{ refuses: (password) => [...password].length > MAX_LENGTH, message: `must have at most ${MAX_LENGTH} characters` },
	{
		refuses: (password, email) => {
			const local = localPart(email).toLowerCase();
			return local.length >= MIN_LOCAL_PART && password.toLowerCase().includes(local);
		},
		message: "must not contain the e-mail address",
	},
	{ refuses: (password) => new Set(password).size === 1, message: "must not repeat one character" },
	{ refuses: (password) => isCommonPassword(password), message: "is too common or was leaked elsewhere" },
];

/** Refuses a password that the policy does not admit: `validation_error` on `field`, e.g. `body.password`. */
export function checkPasswordPolicy(password: string, email: string, field = "body.password"): void {
	const broken = rules.find((rule) => rule.refuses(password.trim(), email));
	if (broken !== undefined) throw fieldError(field, broken.message, "password_policy");
}
