import { RE2JS } from "re2js";

// Far beyond any real filter, and small enough for the engine's memory limit on compiled expressions.
const MAX_LENGTH = 1000;

/** Unicode classes that the check here knows and the engine does not: properties, and scripts newer than its tables. */
const unknownToEngine: ReadonlySet<string> = new Set(
	`Cn LC ASCII_Hex_Digit Alphabetic Dash Emoji Emoji_Component Emoji_Modifier Emoji_Modifier_Base Emoji_Presentation
	Extended_Pictographic Hex_Digit Lowercase Math Quotation_Mark Terminal_Punctuation Uppercase White_Space
	Beria_Erfe Garay Gurung_Khema Kirat_Rai Ol_Onal Sidetic Sunuwar Tai_Yo Todhri Tolong_Siki Tulu_Tigalari Unknown`.split(
		/\s+/,
	),
);

/** Valid starts of an escape: quoted text, a Unicode class, any other escape. */
const escapes = /\\Q.*?(?:\\E|$)|\\[pP]\{\^?([^}]*)\}|\\./gs;

/** True for an expression that the engine's RE2 takes; it reads an expression as text that a NUL would end. */
export function isRegularExpression(pattern: string): boolean {
	if (pattern.length > MAX_LENGTH || pattern.includes("\0")) return false;
	if ([...pattern.matchAll(escapes)].some(([, name]) => name !== undefined && unknownToEngine.has(name))) return false;
	try {
		RE2JS.compile(pattern);
		return true;
	} catch {
		return false;
	}
}
