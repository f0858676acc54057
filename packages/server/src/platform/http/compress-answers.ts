import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { App } from "./app.ts";
import { chooseEncoding, type Encoding } from "./choose-encoding.ts";

/** Shorter answers fit into one packet as they are. */
const LEAST = 1024;

/** At a higher quality Brotli takes longer than the report. */
const quality = {
	params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT },
};

const pack: Readonly<Record<Encoding, (text: string) => Promise<Buffer>>> = {
	br: (text) => promisify(brotliCompress)(text, quality),
	gzip: (text) => promisify(gzip)(text, { level: 6 }),
};

/** Compresses JSON answers below some paths, off the main thread. Not for a secret beside text that a stranger chose: the length would tell of it (BREACH). */
export function compressAnswers(app: App, paths: readonly string[]): void {
	const prefixes = paths.map((path) => app.prefix + path);
	app.addHook("onSend", async (request, reply, payload) => {
		const url = request.routeOptions.url ?? "";
		if (typeof payload !== "string" || !prefixes.some((prefix) => url.startsWith(prefix))) return payload;
		if (!String(reply.getHeader("content-type")).startsWith("application/json")) return payload;
		reply.header("vary", addedTo(reply.getHeader("vary"), "Accept-Encoding"));
		const encoding = chooseEncoding(request.headers["accept-encoding"]);
		if (encoding === undefined || payload.length < LEAST) return payload;
		const packed = await pack[encoding](payload);
		reply.header("content-encoding", encoding).removeHeader("content-length");
		return packed;
	});
}

const addedTo = (vary: unknown, name: string): string => (vary === undefined ? name : `${String(vary)}, ${name}`);
