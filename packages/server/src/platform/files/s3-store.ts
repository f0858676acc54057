import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { AwsClient } from "aws4fetch";
import type { Clock } from "../lib/clock.ts";
import { MINUTE_MS } from "../lib/durations.ts";
import { gathered } from "../lib/gathered.ts";
import { checkFileName, type FileStore, FileStoreError, isFileName, type StoredFile } from "./file-store.ts";
import { readS3Address, type S3Address } from "./s3-address.ts";

const TIMEOUT_MS = MINUTE_MS;
const RETRIES = 5;
/** Before the first retry; each further one waits twice as long. Three seconds in all. */
const FIRST_PAUSE_MS = 100;

interface S3Request {
	readonly method?: "HEAD" | "PUT" | "POST" | "DELETE";
	readonly body?: string | Uint8Array<ArrayBuffer>;
	readonly signal?: AbortSignal | undefined;
}

/** One signed request to the bucket, GET when no method is given; answers other than 2xx and 404 throw. */
type SendToBucket = (url: string, request?: S3Request) => Promise<Response>;

class PassingError extends FileStoreError {}

/** Signs requests (AWS Signature Version 4) and repeats them when the store is busy or the connection breaks: they must be repeatable. */
function signedRequests(address: S3Address, clock: Clock): SendToBucket {
	const { region, accessKeyId, secretAccessKey } = address;
	const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: "s3" });
	return async (url, request = {}) => {
		const { signal } = request;
		for (let retry = 0; ; retry++) {
			try {
				return await sendOnce(client, clock, url, request);
			} catch (error) {
				signal?.throwIfAborted();
				if (retry === RETRIES || !(error instanceof PassingError)) throw error;
			}
			await clock.sleep(FIRST_PAUSE_MS * 2 ** retry * (0.5 + Math.random() / 2), signal);
		}
	};
}

async function sendOnce(client: AwsClient, clock: Clock, url: string, { signal, ...request }: S3Request) {
	const tooLate = new AbortController();
	const cancel = clock.after(TIMEOUT_MS, () => tooLate.abort());
	try {
		const signals = signal === undefined ? [tooLate.signal] : [tooLate.signal, signal];
		const answer = await fetch(await client.sign(url, { ...request, signal: AbortSignal.any(signals) })).catch(
			(cause: unknown) => {
				// The cause names the host at most: requests are signed in a header.
				throw new PassingError("no_answer", "The file store did not answer", { cause });
			},
		);
		if (answer.ok || answer.status === 404) return answer;
		await drained(answer);
		const mayPass = answer.status >= 500 || answer.status === 429;
		throw new (mayPass ? PassingError : FileStoreError)(
			`http_${answer.status}`,
			`The file store answered ${answer.status}`,
		);
	} finally {
		// The content of an answer may take as long as its reader does.
		cancel();
	}
}

/** Releases the connection of a response without reading its body. */
async function drained(answer: Response): Promise<void> {
	await answer.body?.cancel();
}

/** Uploads pieces as they come to one object; the number of bytes. When anything goes wrong the upload is given up, parts and all. */
async function uploadInParts(
	send: SendToBucket,
	url: string,
	pieces: AsyncIterable<Uint8Array>,
	signal: AbortSignal | undefined,
): Promise<number> {
	signal?.throwIfAborted();
	// Not aborted half way: an upload with an unknown id could not be cancelled.
	const begun = await send(`${url}?uploads=`, { method: "POST" });
	const answered = await begun.text();
	if (begun.status === 404) throw new FileStoreError("no_bucket", "The bucket does not exist");
	const upload = `${url}?uploadId=${encodeURIComponent(textOf(answered, "UploadId"))}`;
	try {
		const { tags, bytes } = await uploadParts(send, upload, pieces, signal);
		signal?.throwIfAborted();
		const done = await send(upload, { method: "POST", body: partList(tags) });
		const ending = await done.text();
		// An upload that could not be put together answers 200 too.
		if (done.ok && ending.includes("CompleteMultipartUploadResult")) return bytes;
		// It may have been completed before, by a request whose answer got lost.
		if (done.status === 404 && (await sizeOf(send, url)) === bytes) return bytes;
		throw new FileStoreError("upload_incomplete", "The file store did not complete the upload");
	} catch (error) {
		await send(upload, { method: "DELETE" }).catch(() => undefined);
		throw error;
	}
}

async function uploadParts(
	send: SendToBucket,
	upload: string,
	pieces: AsyncIterable<Uint8Array>,
	signal: AbortSignal | undefined,
): Promise<{ readonly tags: readonly string[]; readonly bytes: number }> {
	const tags: string[] = [];
	let bytes = 0;
	for await (const part of gathered(pieces, bytesOf)) {
		signal?.throwIfAborted();
		const answer = await send(`${upload}&partNumber=${tags.length + 1}`, { method: "PUT", body: part, signal });
		const tag = answer.ok ? answer.headers.get("etag") : null;
		await drained(answer);
		if (tag === null) throw new FileStoreError("part_refused", "The file store did not take a part of the upload");
		tags.push(tag);
		bytes += part.byteLength;
	}
	return { tags, bytes };
}

async function sizeOf(send: SendToBucket, url: string): Promise<number | undefined> {
	const answer = await send(url, { method: "HEAD" });
	return answer.ok ? Number(answer.headers.get("content-length")) : undefined;
}

const partList = (tags: readonly string[]): string => {
	const parts = tags.map((tag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${escaped(tag)}</ETag></Part>`);
	return `<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`;
};

const escaped = (text: string): string =>
	text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

function textOf(xml: string, element: string): string {
	const found = new RegExp(`<${element}>([^<]+)</${element}>`).exec(xml)?.[1];
	if (found === undefined) throw new FileStoreError("unknown_answer", `The file store named no ${element}`);
	return found.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}

const CHECK_TIMEOUT_MS = 5_000;

/** Files in a bucket of S3 or of a server that speaks its protocol. Only what is complete gets a name there. */
export function openS3Store(url: string, clock: Clock): FileStore {
	const address = readS3Address(url);
	const send = signedRequests(address, clock);
	const urlOf = (name: string) => {
		checkFileName(name);
		return address.base + name;
	};
	return {
		write: (name, pieces, signal) => uploadInParts(send, urlOf(name), pieces, signal),
		read: (name) => read(send, urlOf(name)),
		remove: async (name) => drained(await send(urlOf(name), { method: "DELETE" })),
		list: () => list(send, address),
		room: async () => Number.POSITIVE_INFINITY,
		check: async () => {
			const answer = await send(address.bucket, { method: "HEAD", signal: clock.deadline(CHECK_TIMEOUT_MS) });
			if (answer.status === 404) throw new FileStoreError("no_bucket", "The bucket does not exist");
		},
	};
}

async function read(send: SendToBucket, url: string): Promise<StoredFile | undefined> {
	const answer = await send(url);
	if (answer.status === 404 || answer.body === null) {
		await drained(answer);
		return undefined;
	}
	const content = Readable.fromWeb(answer.body as ReadableStream<Uint8Array>);
	return { bytes: Number(answer.headers.get("content-length")), content };
}

/** A thousand at a time is what the store tells. Behind the prefix a name has no slash. */
async function list(send: SendToBucket, { base, bucket }: S3Address): Promise<string[]> {
	const names: string[] = [];
	const prefix = decodeURIComponent(base.slice(bucket.length + 1));
	for (let token: string | undefined = ""; token !== undefined; ) {
		const asked = new URLSearchParams({ "list-type": "2", delimiter: "/", prefix });
		if (token !== "") asked.set("continuation-token", token);
		const answer = await send(`${bucket}?${asked}`);
		if (answer.status === 404) throw new FileStoreError("no_bucket", "The bucket does not exist");
		const xml = await answer.text();
		for (const [, key = ""] of xml.matchAll(/<Key>([^<]*)<\/Key>/g)) names.push(key.slice(key.lastIndexOf("/") + 1));
		token = /<NextContinuationToken>([^<]+)</.exec(xml)?.[1]?.replaceAll("&amp;", "&");
	}
	return names.filter(isFileName);
}

/** S3 takes at most 10,000 parts of at least 5 MiB each. */
const FIRST_BYTES = 8 * 1024 * 1024;
const PARTS_OF_A_SIZE = 1_000;

/** Bytes of a part: 8 MiB at first, so that memory stays small, doubling every 1,000 parts, so that terabytes fit. */
const bytesOf = (part: number): number => FIRST_BYTES * 2 ** Math.floor(part / PARTS_OF_A_SIZE);
