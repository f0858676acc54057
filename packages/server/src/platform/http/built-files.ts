import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import type { FastifyReply, FastifyRequest } from "fastify";
import { chooseEncoding, type Encoding } from "./choose-encoding.ts";
import { etagOf, matches } from "./etag.ts";

const types: Readonly<Record<string, string>> = {
	".css": "text/css; charset=utf-8",
	".html": "text/html; charset=utf-8",
	".ico": "image/x-icon",
	".js": "text/javascript; charset=utf-8",
	".json": "application/json; charset=utf-8",
	".png": "image/png",
	".svg": "image/svg+xml",
	".txt": "text/plain; charset=utf-8",
	".webmanifest": "application/manifest+json",
	".webp": "image/webp",
	".woff2": "font/woff2",
};

const endings: Readonly<Record<Encoding, string>> = { br: ".br", gzip: ".gz" };

/** Files with a content hash in the name never change. */
export const KEPT_FOR_EVER = "public, max-age=31536000, immutable";

/** A file as it goes out. */
export interface BuiltFile {
	readonly type: string;
	readonly etag: string;
	readonly body: Buffer;
	/** Its compressed forms, as far as they are smaller. */
	readonly packed: ReadonlyMap<Encoding, Buffer>;
}

/** Reads the files of a directory that may go out, but for those in `left`, by name; compressed forms lie beside them. */
export function readBuiltFiles(
	directory: string,
	left: ReadonlySet<string> = new Set(),
): ReadonlyMap<string, BuiltFile> {
	const names = readdirSync(directory, { withFileTypes: true })
		.filter((entry) => entry.isFile() && !left.has(entry.name) && extname(entry.name) in types)
		.map(({ name }) => name);
	return new Map(names.map((name) => [name, readFile(join(directory, name))]));
}

function readFile(path: string): BuiltFile {
	const body = readFileSync(path);
	const packed = new Map<Encoding, Buffer>();
	for (const encoding of ["br", "gzip"] as const) {
		const beside = path + endings[encoding];
		if (existsSync(beside)) packed.set(encoding, readFileSync(beside));
	}
	return { type: types[extname(path)] ?? "application/octet-stream", etag: etagOf(body), body, packed };
}

/** Sends a file as the request takes it, or that it has not changed. */
export function sendBuiltFile(
	request: FastifyRequest,
	reply: FastifyReply,
	{ type, etag, body, packed }: BuiltFile,
): FastifyReply {
	reply.headers({ etag, vary: "Accept-Encoding" });
	if (matches(request.headers["if-none-match"], etag)) return reply.code(304).send();
	const encoding = chooseEncoding(request.headers["accept-encoding"], (name) => packed.has(name));
	if (encoding !== undefined) reply.header("content-encoding", encoding);
	return reply.type(type).send((encoding && packed.get(encoding)) ?? body);
}
