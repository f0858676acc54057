/** Stands where a reader does not get to see something. */
const HIDDEN = "[hidden]";

/** Headers by their names alone: their values are often credentials. */
export const withoutValues = (headers: Readonly<Record<string, string>>): Record<string, string> =>
	Object.fromEntries(Object.keys(headers).map((name) => [name, HIDDEN]));

/** An address without what follows its path, which is often a credential. */
export function withoutQuery(url: string): string {
	const end = url.search(/[?#]/);
	return end === -1 ? url : `${url.slice(0, end)}?${HIDDEN}`;
}

/** Data of an event without the token of the link to an export's file. */
export function withoutLink(data: Readonly<Record<string, unknown>>): Record<string, unknown> {
	const { download_url: link } = data;
	if (typeof link !== "string") return data;
	const shown = link.replace(/(\/exports\/download\/)[^/?#]+/, `$1${HIDDEN}`);
	return { ...data, download_url: shown === link ? HIDDEN : shown };
}
