/** Addresses with a scheme, and those that begin with www. */
const addresses = /\b[a-z][a-z0-9+.-]{0,30}:\/\/\S+|\b(?:mailto|tel):\S+|\bwww\.\S+/giu;
/** Those and names of hosts with a path. */
const links = new RegExp(`${addresses.source}|[\\p{L}\\p{N}.-]+\\.\\p{L}{2,63}\\/\\S*`, addresses.flags);

/** A text that somebody wrote, without the links in it: mails of the service lead nowhere but to the service. */
export const withoutLinks = (text: string): string => text.replaceAll(links, "[link]");

/** A path of a site without the addresses in it: anybody can send a visit of a page that does not exist. */
export const pathWithoutLinks = (path: string): string => path.replaceAll(addresses, "[link]");

const LONGEST = 60;

/** A name chosen by a stranger: shortened, and without anything that a mail program turns into a link. */
export function plainName(name: string): string {
	const short = [...withoutLinks(name)].slice(0, LONGEST).join("");
	return short.replaceAll(/(?<=\S)[.@](?=\S)/g, (sign) => `[${sign}]`);
}
