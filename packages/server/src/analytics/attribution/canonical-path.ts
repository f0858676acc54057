/** Longest path that is stored, in characters. */
const MAX_PATH = 1024;

const ESCAPED = /[%\P{ASCII}]/u;
const PART = /%[\dA-Fa-f]{2}|\P{ASCII}+/gu;
const UNRESERVED = /[\w.~-]/;

/**
 * A path in its one form (RFC 3986, 6.2.2): hex digits of escapes in capitals, escapes of unreserved characters decoded,
 * characters beyond ASCII escaped as UTF-8. Nothing else changes: `%2F` is no `/`, and case and composition of letters stay.
 */
export function canonicalPath(path: string): string {
	if (!ESCAPED.test(path)) return path;
	return path.replace(PART, (part) => {
		if (!part.startsWith("%")) return encodeURIComponent(part.toWellFormed());
		const character = String.fromCharCode(Number.parseInt(part.slice(1), 16));
		return UNRESERVED.test(character) ? character : part.toUpperCase();
	});
}

/** The path as it is stored: in its one form, cut between characters. */
export function storedPath(path: string): string {
	const canonical = canonicalPath(path);
	return canonical.length <= MAX_PATH ? canonical : withoutPart(canonical.slice(0, MAX_PATH)).trimEnd();
}

/** Leaves out what is left of an escape, and of a character that takes several, at the end. */
function withoutPart(cut: string): string {
	const whole = cut.replace(/%[\dA-F]?$/, "");
	const lead = /%(?:[CD][\dA-F]|E[\dA-F]%[89AB][\dA-F]|E[\dA-F]|F[0-7](?:%[89AB][\dA-F]){0,2})$/.exec(whole);
	return lead === null ? whole : whole.slice(0, lead.index);
}

const ESCAPED_RUN = /(?:%[89A-F][\dA-F])+/gi;

/** The path as people read it: escapes of characters beyond ASCII decoded where they are valid UTF-8. `canonicalPath` undoes it. */
export function readablePath(path: string): string {
	if (!path.includes("%")) return path;
	return path.replace(ESCAPED_RUN, (run) => {
		try {
			return decodeURIComponent(run);
		} catch {
			return run;
		}
	});
}
