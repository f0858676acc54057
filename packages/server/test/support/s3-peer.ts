import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import S3rver from "s3rver";
import { faultOfSignature, type PeerKey } from "./aws-signature.ts";

/** The bucket that a peer has. */
export const BUCKET = "stats";

/** A peer's fault in place of an answer: a status, or a connection cut before or after the request is done. */
export type PeerFault = 500 | 503 | "cut before" | "cut after";

/** A server that speaks S3, checks signatures and fails when it is told to. */
export interface S3Peer {
	/** Of the peer, without a bucket; `key` and `secret` in place of the right ones. */
	url(path: string, credential?: { readonly key?: string; readonly secret?: string }): string;
	/** Method and address of every request so far. */
	readonly requests: readonly string[];
	/** Looks at each request, as in `requests`; undefined = it is answered. */
	fault: (request: string) => PeerFault | undefined;
	/** Objects with all their bytes. */
	objects(): readonly string[];
	/** Uploads that were begun and neither completed nor given up. */
	uploads(): readonly string[];
	close(): Promise<void>;
}

const key: PeerKey = { accessKeyId: "PEER", secretAccessKey: "a/secret+with%signs", region: "eu-west-1" };

/** Starts a peer: s3rver, which knows no signatures of version 4 and gives up no uploads, behind a door that does both. */
export async function startS3Peer(): Promise<S3Peer> {
	const directory = mkdtempSync(join(tmpdir(), "footfall-s3-"));
	const buckets = [{ name: BUCKET, configs: [] }];
	const store = new S3rver({ address: "127.0.0.1", port: 0, silent: true, directory, configureBuckets: buckets });
	const { port: storePort } = await store.run();
	const listed = (path: string) => {
		try {
			return readdirSync(join(directory, path), { recursive: true }).map(String);
		} catch {
			return [];
		}
	};
	const uploads = join(BUCKET, "._S3rver_uploads");
	const requests: string[] = [];
	const door = createServer((request, response) => {
		const asked = `${request.method} ${request.url}`;
		requests.push(asked);
		const refused = faultOfSignature(request, key, Date.now());
		if (refused !== undefined) return end(request, response, 403, refused);
		const fault = peer.fault(asked);
		if (fault === "cut before") return void request.socket.destroy();
		if (typeof fault === "number") return end(request, response, fault, "SlowDown");
		const uploadId = /[?&]uploadId=([\w-]+)/.exec(asked)?.[1];
		if (uploadId !== undefined && !peer.uploads().includes(uploadId)) {
			return end(request, response, 404, "NoSuchUpload");
		}
		if (uploadId === undefined || request.method !== "DELETE") {
			return pass(storePort, request, response, fault === "cut after");
		}
		rmSync(join(directory, uploads, uploadId), { recursive: true });
		return end(request, response, 204);
	});
	await new Promise<void>((resolve) => door.listen(0, "127.0.0.1", resolve));
	const { port } = door.address() as AddressInfo;
	const peer: S3Peer = {
		url: (path, { key: id = key.accessKeyId, secret = key.secretAccessKey } = {}) =>
			`http://${encodeURIComponent(id)}:${encodeURIComponent(secret)}@127.0.0.1:${port}/${path}?region=${key.region}`,
		requests,
		fault: () => undefined,
		objects: () => listed(BUCKET).flatMap((name) => /^(.*)\._S3rver_object$/.exec(name)?.[1] ?? []),
		uploads: () => listed(uploads).filter((name) => !name.includes("/")),
		close: async () => {
			door.closeAllConnections();
			door.close();
			await store.close();
			rmSync(directory, { recursive: true, force: true });
		},
	};
	return peer;
}

/** Answers once the whole request has come, as a client that still writes would not read. */
function end(request: IncomingMessage, response: ServerResponse, status: number, code?: string): void {
	request.resume().once("end", () => {
		response.writeHead(status).end(code && `<Error><Code>${code}</Code></Error>`);
	});
}

function pass(port: number, request: IncomingMessage, response: ServerResponse, isCut: boolean): void {
	// The store behind knows other keys.
	const { authorization: _, ...headers } = request.headers;
	const { method, url: path } = request;
	const onward = forward({ host: "127.0.0.1", port, method, path, headers }, (answer) => {
		if (isCut) return void answer.resume().once("end", () => request.socket.destroy());
		response.writeHead(answer.statusCode ?? 502, answer.headers);
		answer.pipe(response);
	});
	onward.once("error", () => response.destroy());
	// The client may leave before the end of the request or of the answer.
	response.once("close", () => onward.destroy());
	request.pipe(onward);
}
