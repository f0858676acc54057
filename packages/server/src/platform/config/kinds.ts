import { isIP } from "node:net";
import { Cron } from "croner";

/** How the text of a variable becomes a value; undefined = not acceptable. */
export interface VariableKind<T> {
	readonly parse: (text: string) => T | undefined;
	/** Ends the sentence "NAME must be …". */
	readonly expected: string;
	/** Ends the sentence "NAME must …" instead, where a text shows what is wrong with it. */
	readonly complaint?: (text: string) => string | undefined;
}

const units: Record<string, number> = { "": 1, b: 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3, tb: 1024 ** 4 };

export const text: VariableKind<string> = { parse: (value) => value, expected: "a text" };

export const passphrase: VariableKind<string> = {
	parse: (value) => (value.length >= 16 ? value : undefined),
	expected: "a text of at least 16 characters",
};

export const flag: VariableKind<boolean> = {
	parse: (value) => ({ true: true, "1": true, false: false, "0": false })[value.toLowerCase()],
	expected: "true or false",
};

export const count = (min: number, max: number): VariableKind<number> => ({
	parse: (value) =>
		/^\d{1,15}$/.test(value) && Number(value) >= min && Number(value) <= max ? Number(value) : undefined,
	expected: `a whole number from ${min} to ${max}`,
});

export const bytesFrom = (min: number, least = ""): VariableKind<number> => ({
	parse: (value) => {
		const [, digits, unit = ""] = /^(\d{1,15})\s*([kmgt]?b)?$/i.exec(value) ?? [];
		const count = Number(digits) * (units[unit.toLowerCase()] ?? Number.NaN);
		return count >= min ? count : undefined;
	},
	expected: `a number of bytes such as 1073741824, 512MB or 4GB${least}`,
});

export const bytes = bytesFrom(0);

/** Raw characters of user name and password that mean something else in an address: they end them early, so that its last @ is behind these. */
function rawCharacters(value: string): string[] {
	const [, rest = ""] = /^[a-z][a-z0-9+.-]*:\/\/(.*)$/is.exec(value) ?? [];
	const [authority = ""] = rest.split(/[/?#]/, 1);
	const isWhole = URL.canParse(value) && (authority.includes("@") || !authority.includes(":"));
	const people = isWhole ? authority : rest;
	const raw = isWhole ? /%(?![0-9a-f]{2})/gi : /[/?#@\s[\]\\]|%(?![0-9a-f]{2})/gi;
	return [...new Set(people.slice(0, Math.max(0, people.lastIndexOf("@"))).match(raw))];
}

const encoded = (character: string): string =>
	`${character} as %${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;

export const url = (...protocols: readonly string[]): VariableKind<string> => ({
	parse: (value) => {
		const parsed = URL.canParse(value) ? new URL(value) : undefined;
		if (parsed === undefined || !protocols.includes(parsed.protocol) || rawCharacters(value).length > 0)
			return undefined;
		return value.replace(/\/$/, "");
	},
	expected: `an address that begins with ${protocols.map((protocol) => `${protocol}//`).join(" or ")}`,
	complaint: (value) => {
		const raw = rawCharacters(value);
		if (raw.length === 0 || !protocols.some((protocol) => value.startsWith(`${protocol}//`))) return undefined;
		return `have these characters of its user name and password percent-encoded: ${raw.map(encoded).join(", ")}`;
	},
});

const namesPeople = ({ username, password }: URL): boolean => username !== "" || password !== "";

/** An address that people are shown: it stands in mails and links, so that no password may be in it. */
export const shownUrl = (...protocols: readonly string[]): VariableKind<string> => {
	const { parse, expected } = url(...protocols);
	return {
		parse: (value) => (URL.canParse(value) && namesPeople(new URL(value)) ? undefined : parse(value)),
		expected: `${expected}, without user and password`,
	};
};

export const oneOf = <const Values extends readonly string[]>(values: Values): VariableKind<Values[number]> => ({
	parse: (value) => values.find((known) => known === value),
	expected: `one of ${values.join(", ")}`,
});

const split = (value: string): string[] =>
	value
		.split(",")
		.map((item) => item.trim())
		.filter((item) => item !== "");

export const list = <const Item extends string>(known: readonly Item[]): VariableKind<readonly Item[]> => ({
	parse: (value) => {
		const items = split(value);
		const found = known.filter((item) => items.includes(item));
		return found.length > 0 && found.length === new Set(items).size ? found : undefined;
	},
	expected: `a list of ${known.join(", ")}`,
});

/** A host name as it stands in an address: labels of letters, digits and dashes, at least two. */
const isHost = (item: string): boolean =>
	item.length <= 253 && /^(?!-)[\p{L}\p{N}-]{1,63}(\.(?!-)[\p{L}\p{N}-]{1,63})+$/u.test(item);

export const hosts: VariableKind<readonly string[]> = {
	parse: (value) => {
		const items = split(value);
		return items.every(isHost) ? items : undefined;
	},
	expected: "a list of host names such as pay.example.com, separated by commas",
};

const isRange = (item: string): boolean => {
	const [address = "", prefix, ...rest] = item.split("/");
	const family = isIP(address);
	if (family === 0 || rest.length > 0) return false;
	return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128));
};

export const proxies: VariableKind<boolean | readonly string[]> = {
	parse: (value) => {
		// Other programs count proxies with a number; here a `1` would trust everybody.
		const asFlag = /^\d$/.test(value) ? undefined : flag.parse(value);
		if (asFlag !== undefined) return asFlag;
		const items = split(value);
		return items.length > 0 && items.every(isRange) ? items : undefined;
	},
	expected: "true, false, or a list of IP addresses and ranges",
};

export const channelKeys: VariableKind<readonly { readonly key: string; readonly channel: string }[]> = {
	parse: (value) => {
		const pairs = split(value).map((item) => /^([^\s:]{1,128}):([\w.-]{1,64})$/.exec(item));
		const known = pairs.flatMap((pair) => (pair === null ? [] : [{ key: pair[1] ?? "", channel: pair[2] ?? "" }]));
		return known.length === pairs.length ? known : undefined;
	},
	expected: "a list of key:channel separated by commas",
};

export const mailbox: VariableKind<string> = {
	parse: (value) => (/^([^<>@\p{Cc}]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/u.test(value) ? value : undefined),
	expected: "an address such as footfall@example.com or Footfall <footfall@example.com>",
};

export const serverBackupPlace: VariableKind<"bucket" | `disk:${string}`> = {
	parse: (value) =>
		value === "bucket" || /^disk:[a-z_]\w{0,63}$/i.test(value) ? (value as "bucket" | `disk:${string}`) : undefined,
	expected: "`bucket`, or `disk:` with the name of a disk of the server",
};

export const share: VariableKind<number> = {
	parse: (value) => (/^(0(\.\d{1,9})?|1(\.0+)?|\.\d{1,9})$/.test(value) ? Number(value) : undefined),
	expected: "a number from 0 to 1",
};

/** As the standard of OpenTelemetry writes them. */
export const headers: VariableKind<Readonly<Record<string, string>>> = {
	parse: (value) => {
		const pairs = split(value).map((item) => /^([\w!#$%&'*+.^`|~-]{1,128})\s*=\s*([\x21-\x7e]{1,4096})$/.exec(item));
		if (pairs.some((pair) => pair === null)) return undefined;
		try {
			return Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? "", decodeURIComponent(pair?.[2] ?? "")]));
		} catch {
			return undefined;
		}
	},
	expected: "a list of name=value separated by commas",
};

/** A time of day becomes the cron expression that means it. */
export const timeOrCron: VariableKind<string> = {
	parse: (value) => {
		const [, hour, minute] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(value) ?? [];
		const expression = hour === undefined ? value : `${Number(minute)} ${Number(hour)} * * *`;
		return isCron(expression) ? expression : undefined;
	},
	expected: "a time of day such as 02:17, or a cron expression of five fields such as 17 2 * * *",
};

function isCron(expression: string): boolean {
	if (expression.trim().split(/\s+/).length !== 5) return false;
	try {
		return new Cron(expression, { timezone: "UTC", paused: true }).nextRun() !== null;
	} catch {
		return false;
	}
}

export const port = count(0, 65_535);
