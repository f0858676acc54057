import { once } from "node:events";
import { readdirSync, readlinkSync } from "node:fs";
import { connect } from "node:net";
import { collectGarbage } from "./live-heap.ts";
import type { TestApp } from "./test-app.ts";

export interface RawRequest {
	readonly method: string;
	readonly path: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly body?: string | Uint8Array;
}

/** How far a client comes before it breaks its connection. */
interface Cut {
	/** Bytes of the request that it sends; all when absent. */
	readonly sent?: number;
	/** Bytes of the answer that it waits for; none when absent. */
	readonly read?: number;
	/** Waits then, without reading. */
	readonly wait?: () => Promise<unknown>;
	/** It closes its end in order, instead of resetting the connection. */
	readonly isOrderly?: boolean;
}

export function bytesOf({ method, path, headers, body = "" }: RawRequest): Buffer {
	const length = body.length === 0 && method === "GET" ? {} : { "content-length": String(Buffer.byteLength(body)) };
	const lines = Object.entries({ host: "localhost", connection: "close", ...headers, ...length }).map(
		([name, value]) => `${name}: ${value}`,
	);
	return Buffer.concat([Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`), Buffer.from(body)]);
}

/** Sends a request over a connection of its own and breaks it. */
export async function breakConnection(
	port: number,
	bytes: Buffer,
	{ sent = bytes.length, read = 0, wait, isOrderly = false }: Cut,
): Promise<void> {
	const client = connect(port, "127.0.0.1").on("error", () => undefined);
	const enough = Promise.withResolvers<void>();
	let received = 0;
	client.on("data", (piece) => {
		received += piece.length;
		if (received >= read) enough.resolve();
	});
	client.once("close", enough.resolve);
	await new Promise((written) => client.write(bytes.subarray(0, sent), written));
	if (read > 0) await enough.promise;
	client.pause();
	await wait?.();
	if (isOrderly) client.destroy();
	else client.resetAndDestroy();
}

/** Does so with an app; resolves when the server has closed its end. */
export async function breakOff(app: TestApp, bytes: Buffer, cut: Cut): Promise<void> {
	const address = new URL(await app.address());
	const accepted = once(app.app.server, "connection");
	const broken = breakConnection(Number(address.port), bytes, cut);
	const [server] = await accepted;
	const closed = new Promise((resolve) => server.once("close", resolve));
	await broken;
	await closed;
}

/** Files below these folders that this process has open. Garbage is collected before: an open file among it is an uncaught exception. */
export async function openFilesBelow(folders: readonly string[]): Promise<string[]> {
	collectGarbage();
	// The collector hands lost files on to the event loop.
	await new Promise(setImmediate);
	return filesOf("self", folders);
}

/** Files below these folders that a process has open. */
export function filesOf(pid: number | "self", folders: readonly string[]): string[] {
	return readdirSync(`/proc/${pid}/fd`).flatMap((descriptor) => {
		try {
			const path = readlinkSync(`/proc/${pid}/fd/${descriptor}`);
			return folders.some((folder) => path.startsWith(folder)) ? [path] : [];
		} catch {
			// The descriptor of the listing itself.
			return [];
		}
	});
}
