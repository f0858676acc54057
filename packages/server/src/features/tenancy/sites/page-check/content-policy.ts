/** A resource of a page: the script of a tag, or an address that a script sends to. */
interface Asked {
	readonly kind: keyof typeof chains;
	readonly url: URL;
	/** The nonce of the tag. */
	readonly nonce?: string | undefined;
}

/** Which directives decide on a kind of request, the first that there is. */
const chains = {
	script: ["script-src-elem", "script-src", "default-src"],
	connect: ["connect-src", "default-src"],
} as const;

/** The policies that a header holds, or one of a `meta` tag. */
export const policiesIn = (header: string): string[] => header.split(",").filter((policy) => policy.trim() !== "");

/** Whether a page with these policies may ask for that (Content Security Policy Level 3, 6.7.2): each of them has to agree. */
export const admits = (policies: readonly string[], page: URL, asked: Asked): boolean =>
	policies.every((policy) => admittedBy(policy, page, asked));

function admittedBy(policy: string, page: URL, { kind, url, nonce }: Asked): boolean {
	const directives = directivesOf(policy);
	const sources = chains[kind].map((name) => directives.get(name)).find((list) => list !== undefined);
	if (sources === undefined) return true;
	if (nonce !== undefined && sources.includes(`'nonce-${nonce}'`)) return true;
	// Under it, scripts count by nonce or hash alone.
	if (kind === "script" && sources.some((source) => source.toLowerCase() === "'strict-dynamic'")) return false;
	return sources.some((source) => covers(source, page, url));
}

/** Of a directive that is given twice, the first one counts. */
function directivesOf(policy: string): ReadonlyMap<string, readonly string[]> {
	const directives = new Map<string, readonly string[]>();
	for (const text of policy.split(";")) {
		const [name = "", ...sources] = text.trim().split(/\s+/);
		const key = name.toLowerCase();
		if (key !== "" && !directives.has(key)) directives.set(key, sources);
	}
	return directives;
}

const schemeSource = /^([a-z][a-z\d+.-]*):$/i;
const hostSource = /^(?:([a-z][a-z\d+.-]*):\/\/)?(\*|(?:\*\.)?[^:/*]+)(?::(\d+|\*))?(\/.*)?$/i;

function covers(source: string, page: URL, url: URL): boolean {
	if (source === "*") return true;
	if (source.toLowerCase() === "'self'") return url.origin === page.origin;
	const scheme = schemeSource.exec(source)?.[1];
	if (scheme !== undefined) return isScheme(`${scheme}:`, url);
	const [, ofScheme, host, port, path] = hostSource.exec(source) ?? [];
	if (host === undefined) return false;
	return (
		isScheme(ofScheme === undefined ? page.protocol : `${ofScheme}:`, url) &&
		isHost(host.toLowerCase(), url) &&
		isPort(port, url) &&
		isPath(path, url)
	);
}

const isScheme = (scheme: string, { protocol }: URL): boolean =>
	scheme.toLowerCase() === protocol || (scheme.toLowerCase() === "http:" && protocol === "https:");

const isHost = (host: string, { hostname }: URL): boolean =>
	host === "*" || host === hostname || (host.startsWith("*.") && hostname.endsWith(host.slice(1)));

const defaultPorts: Readonly<Record<string, string>> = { "http:": "80", "https:": "443" };

const isPort = (port: string | undefined, url: URL): boolean =>
	port === "*" || (port === undefined ? url.port === "" : port === (url.port || defaultPorts[url.protocol]));

const isPath = (path: string | undefined, { pathname }: URL): boolean =>
	path === undefined || (path.endsWith("/") ? pathname.startsWith(path) : pathname === path);
