import { createHash, createHmac } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { equalConstantTime } from "../../src/platform/lib/crypto.ts";

/** A key that a peer knows. */
export interface PeerKey {
	readonly accessKeyId: string;
	readonly secretAccessKey: string;
	readonly region: string;
}

const MOST_SKEW_MS = 15 * 60_000;
const AUTHORIZATION =
	/^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})$/;

const hmac = (key: string | Uint8Array, text: string) => createHmac("sha256", key).update(text).digest();
const encoded = (text: string) =>
	encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);

/** Why a request is refused, in the words of S3 (AWS Signature Version 4, in the header); undefined when its signature holds. */
export function faultOfSignature(request: IncomingMessage, key: PeerKey, nowMs: number): string | undefined {
	const [, id, day = "", region = "", signed = "", signature = ""] =
		AUTHORIZATION.exec(request.headers.authorization ?? "") ?? [];
	if (id === undefined) return "AccessDenied";
	if (id !== key.accessKeyId) return "InvalidAccessKeyId";
	if (region !== key.region) return "AuthorizationHeaderMalformed";
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
