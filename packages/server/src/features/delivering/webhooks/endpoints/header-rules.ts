import { fieldError } from "../../../../platform/errors/service-error.ts";

const MAX_HEADERS = 20;
const NAME = /^[A-Za-z0-9-]{1,100}$/;
/** A value that HTTP can carry: visible ASCII with blanks between. */
const VALUE = /^[\x20-\x7e]{0,1000}$/;

/** Names that are ours, or that govern the connection: the client that sends would refuse them or be misled. */
const reserved: readonly RegExp[] = [
	/^host$/,
	/^content-/,
	/^transfer-encoding$/,
	/^(proxy-)?connection$/,
	/^(keep-alive|upgrade|expect|te|trailer)$/,
	/^x-service-/,
	/^webhook-/,
];

/** Throws 422 for the first header that cannot be sent along with each call. */
export function checkHeaders(headers: Readonly<Record<string, string>>): void {
	const names = Object.keys(headers);
	if (names.length > MAX_HEADERS) throw fieldError("body.headers", `must have at most ${MAX_HEADERS} headers`);
	const known = new Set<string>();
	for (const [name, value] of Object.entries(headers)) {
		const field = `body.headers.${name}`;
		const lower = name.toLowerCase();
		if (!NAME.test(name)) throw fieldError(field, "must have a name of letters, digits and hyphens, 100 at most");
		if (reserved.some((pattern) => pattern.test(lower))) throw fieldError(field, "is set by the service itself");
		if (known.has(lower)) throw fieldError(field, "must be given once");
		if (!VALUE.test(value)) throw fieldError(field, "must be at most 1000 ASCII characters");
		known.add(lower);
	}
}
