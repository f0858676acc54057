import { createHash, createHmac } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import S3rver from "s3rver";
import { equalConstantTime } from "../../src/platform/lib/crypto.ts";
import { listenLocally } from "./local-server.ts";

export const BUCKET = "stats";

/** A peer's fault in place of an answer: a status, or a connection cut before or after the request is done. */
export type PeerFault = 403 | 404 | 429 | 500 | 503 | "cut before" | "cut after";

/** A server that speaks S3, checks signatures and fails when it is told to. */
export type S3Peer = Awaited<ReturnType<typeof startS3Peer>>;

const key = { accessKeyId: "PEER", secretAccessKey: "a/secret+with%signs" };

/** Starts a peer: s3rver, which knows no signatures of version 4 and gives up no uploads, behind a door that does both. */
export async function startS3Peer({ region = "eu-west-1" } = {}) {
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
		const refused = faultOfSignature(request, region, Date.now());
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
	const { port, close } = await listenLocally(door);
	const peer = {
		/** Of the peer, without a bucket; `key` and `secret` in place of the right ones. */
		url: (path: string, { key: id = key.accessKeyId, secret = key.secretAccessKey } = {}) =>
			`http://${encodeURIComponent(id)}:${encodeURIComponent(secret)}@127.0.0.1:${port}/${path}?region=${region}`,
		/** Method and address of every request so far. */
		requests,
		/** Looks at each request, as in `requests`; undefined = it is answered. */
		fault: (_request: string): PeerFault | undefined => undefined,
		/** Objects with all their bytes. */
		objects: () => listed(BUCKET).flatMap((name) => /^(.*)\._S3rver_object$/.exec(name)?.[1] ?? []),
		/** Uploads that were begun and neither completed nor given up. */
		uploads: () => listed(uploads).filter((name) => !name.includes("/")),
		close: async () => {
			await close();
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

const MOST_SKEW_MS = 15 * 60_000;
const AUTHORIZATION =
	/^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})$/;

const hmac = (key: string | Uint8Array, text: string) => createHmac("sha256", key).update(text).digest();
const encoded = (text: string) =>
	encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);

/** Why a request is refused, in the words of S3 (AWS Signature Version 4, in the header); undefined when its signature holds. */
function faultOfSignature(request: IncomingMessage, expectedRegion: string, nowMs: number): string | undefined {
	const [, id, day = "", region = "", signed = "", signature = ""] =
		AUTHORIZATION.exec(request.headers.authorization ?? "") ?? [];
	if (id === undefined) return "AccessDenied";
	if (id !== key.accessKeyId) return "InvalidAccessKeyId";
	if (region !== expectedRegion) return "AuthorizationHeaderMalformed";
	const headers = signed.split(";");
	const own = Object.keys(request.headers).filter((name) => name === "host" || name.startsWith("x-amz-"));
	if (!own.every((name) => headers.includes(name))) return "AccessDenied";
	const moment = String(request.headers["x-amz-date"]);
	const sentMs = Date.parse(moment.replace(/^(\d{4})(\d\d)(\d\dT\d\d)(\d\d)(\d\dZ)$/, "$1-$2-$3:$4:$5"));
	if (!(Math.abs(nowMs - sentMs) < MOST_SKEW_MS) || !moment.startsWith(day)) return "RequestTimeTooSkewed";
	const text = ["AWS4-HMAC-SHA256", moment, `${day}/${region}/s3/aws4_request`, sha256(canonical(request, headers))];
	const signing = [day, region, "s3", "aws4_request"].reduce<Uint8Array>(
		(derived, part) => hmac(derived, part),
		Buffer.from(`AWS4${key.secretAccessKey}`),
	);
	const expected = hmac(signing, text.join("\n")).toString("hex");
	return equalConstantTime(signature, expected) ? undefined : "SignatureDoesNotMatch";
}

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

function canonical(request: IncomingMessage, headers: readonly string[]): string {
	const { pathname, searchParams } = new URL(request.url ?? "/", "http://peer");
	const path = pathname.split("/").map((part) => encoded(decodeURIComponent(part)));
	const query = [...searchParams].map(([name, value]) => `${encoded(name)}=${encoded(value)}`).sort();
	const lines = headers.map((name) => `${name}:${String(request.headers[name]).trim().replaceAll(/ +/g, " ")}\n`);
	return [
		request.method,
		path.join("/"),
		query.join("&"),
		lines.join(""),
		headers.join(";"),
		request.headers["x-amz-content-sha256"],
	].join("\n");
}
