/** A start tag; names are in small letters. */
export interface Tag {
	readonly name: string;
	/** Of an attribute that is given twice, the first value. */
	readonly attributes: ReadonlyMap<string, string>;
}

/** Elements whose content is text, whatever it looks like. */
const rawText = new Set(["iframe", "noembed", "noframes", "script", "style", "textarea", "title", "xmp"]);

/**
 * The start tags of a page with these names, as a browser finds them: not in comments, scripts and texts of forms. Each
 * character is looked at a few times, whatever the page holds.
 */
export function* tagsOf(page: string, names: ReadonlySet<string>): Generator<Tag> {
	const opening = /<(?:!--|[a-z])/gi;
	for (let found = opening.exec(page); found !== null; found = opening.exec(page)) {
		const end = found[0] === "<!--" ? endOfComment(page, found.index) : undefined;
		if (end !== undefined) {
			opening.lastIndex = end;
			continue;
		}
		const tag = readTag(page, found.index + 1);
		if (tag === undefined) return;
		opening.lastIndex = rawText.has(tag.name) ? endOfText(page, tag) : tag.end;
		if (names.has(tag.name)) yield tag;
	}
}

/** Behind a comment; one that is not closed takes the rest of the page. */
function endOfComment(page: string, start: number): number {
	// `<!-->` is a whole one.
	const end = page.indexOf("-->", start + 2);
	return end === -1 ? page.length : end + 3;
}

function endOfText(page: string, { name, end }: Tag & { readonly end: number }): number {
	const closing = new RegExp(`</${name}(?=[\\s/>])`, "gi");
	closing.lastIndex = end;
	return closing.exec(page)?.index ?? page.length;
}

/** Undefined where the page ends within the tag, which makes it none. */
function readTag(page: string, start: number): (Tag & { readonly end: number }) | undefined {
	const attributes = new Map<string, string>();
	const name = textAt(/[^\s/>]*/y, page, start);
	let at = start + name.length;
	while (true) {
		at += textAt(/[\s/]*/y, page, at).length;
		if (at >= page.length) return undefined;
		if (page[at] === ">") return { name: name.toLowerCase(), attributes, end: at + 1 };
		const attribute = textAt(/=?[^\s/>=]*/y, page, at);
		at += attribute.length;
		const equals = textAt(/\s*=\s*/y, page, at);
		const value = equals === "" ? { text: "", end: at } : readValue(page, at + equals.length);
		if (value === undefined) return undefined;
		at = value.end;
		const key = attribute.toLowerCase();
		if (!attributes.has(key)) attributes.set(key, decoded(value.text));
	}
}

function readValue(page: string, at: number): { readonly text: string; readonly end: number } | undefined {
	const quote = page[at];
	if (quote !== '"' && quote !== "'") {
		const text = textAt(/[^\s>]*/y, page, at);
		return { text, end: at + text.length };
	}
	const end = page.indexOf(quote, at + 1);
	return end === -1 ? undefined : { text: page.slice(at + 1, end), end: end + 1 };
}

function textAt(pattern: RegExp, page: string, at: number): string {
	pattern.lastIndex = at;
	return pattern.exec(page)?.[0] ?? "";
}

const named: Readonly<Record<string, string>> = { amp: "&", apos: "'", gt: ">", lt: "<", quot: '"' };
const reference = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|apos|gt|lt|quot));?/gi;

/** A value with its character references, as far as addresses and policies use them, resolved. */
const decoded = (text: string): string =>
	text.replace(reference, (whole, decimal?: string, hex?: string, name?: string) => {
		if (name !== undefined) return named[name.toLowerCase()] ?? whole;
		const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
		return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
	});
