const MIN_LENGTH = 3;
/** Room for a number such as `-1234` behind a long name. */
const MAX_BASE_LENGTH = 56;

/** The name in lower case with dashes, 3 to 56 of `[a-z0-9-]`; too short ones, and 24 hexadecimal characters, get `prefix` in front. */
export function slugOf(name: string, prefix: string): string {
	const base = name
		.normalize("NFKD")
		.replace(/\p{M}/gu, "")
		.toLowerCase()
		.replace(/[^a-z0-9]+/g, "-")
		.slice(0, MAX_BASE_LENGTH)
		.replace(/^-|-$/g, "");
	if (base === "") return prefix;
	return base.length < MIN_LENGTH || /^[0-9a-f]{24}$/.test(base) ? `${prefix}-${base}` : base;
}

/** True for a text that may be a slug, of a site or of an organization. */
export const isSlug = (text: string): boolean => /^[a-z0-9-]{1,64}$/.test(text);

/** The slug itself, or with the lowest number from 2 on that is not taken. */
export function numberedSlug(base: string, taken: ReadonlySet<string>): string {
	if (!taken.has(base)) return base;
	let number = 2;
	while (taken.has(`${base}-${number}`)) number++;
	return `${base}-${number}`;
}
