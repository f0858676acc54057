import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { AwsClient } from "aws4fetch";
import { checkFileName, type FileStore, FileStoreError } from "./file-store.ts";
import { readS3Address, type S3Address } from "./s3-address.ts";
import { inParts } from "./s3-parts.ts";

const TIMEOUT_MS = 60_000;

/** One request to the bucket; answers other than 2xx and 404 throw. */
type Send = (url: string, init?: RequestInit) => Promise<Response>;

/** Files in a bucket of S3 or of a server that speaks its protocol. Only what is complete gets a name there. */
export function openS3Store(url: string): FileStore {
	const address = readS3Address(url);
	const send = senderOf(address);
	const urlOf = (name: string) => {
		checkFileName(name);
		return address.base + name;
	};
	return {
		write: (name, pieces, signal) => write(send, urlOf(name), pieces, signal),
		read: async (name) => {
			const answer = await send(urlOf(name), {});
			if (answer.status === 404 || answer.body === null) return undefined;
			const content = Readable.fromWeb(answer.body as ReadableStream<Uint8Array>);
			return { bytes: Number(answer.headers.get("content-length")), content };
		},
		remove: async (name) => void (await drained(await send(urlOf(name), { method: "DELETE" }))),
		check: async () => {
			const answer = await send(address.bucket, { method: "HEAD" });
			if (answer.status === 404) throw new FileStoreError("The bucket does not exist");
		},
	};
}

function senderOf({ region, accessKeyId, secretAccessKey }: S3Address): Send {
	const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: "s3", retries: 3 });
	return async (url, init) => {
		const answer = await client.fetch(url, init).catch((cause: unknown) => {
			if (init?.signal?.aborted) throw cause;
			// The cause names the host at most: requests are signed in a header.
			throw new FileStoreError("The file store did not answer", { cause });
		});
		if (answer.ok || answer.status === 404) return answer;
		await drained(answer);
		throw new FileStoreError(`The file store answered ${answer.status}`);
	};
}

async function write(
	send: Send,
	url: string,
	pieces: AsyncIterable<Uint8Array>,
	signal: AbortSignal | undefined,
): Promise<number> {
	const within = () => ({ signal: AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), ...(signal ? [signal] : [])]) });
	const begun = await send(`${url}?uploads=`, { method: "POST", ...within() });
	const uploadId = textOf(await begun.text(), "UploadId");
	const upload = `${url}?uploadId=${encodeURIComponent(uploadId)}`;
	try {
		const tags: string[] = [];
		let bytes = 0;
		for await (const part of inParts(pieces)) {
			signal?.throwIfAborted();
			const address = `${upload}&partNumber=${tags.length + 1}`;
			const answer = await send(address, { method: "PUT", body: part, ...within() });
			tags.push(answer.headers.get("etag") ?? "");
			await drained(answer);
			bytes += part.byteLength;
		}
		const done = await send(upload, { method: "POST", body: partList(tags), ...within() });
		// An upload that could not be put together answers 200 too.
		if (done.status !== 200 || !(await done.text()).includes("CompleteMultipartUploadResult")) {
			throw new FileStoreError("The file store did not complete the upload");
		}
		return bytes;
	} catch (error) {
		await send(upload, { method: "DELETE" }).catch(() => undefined);
		throw error;
	}
}

const partList = (tags: readonly string[]): string => {
	const parts = tags.map((tag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${escaped(tag)}</ETag></Part>`);
	return `<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`;
};

const escaped = (text: string): string =>
	text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

function textOf(xml: string, element: string): string {
	const found = new RegExp(`<${element}>([^<]+)</${element}>`).exec(xml)?.[1];
	if (found === undefined) throw new FileStoreError(`The file store named no ${element}`);
	return found.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}

async function drained(answer: Response): Promise<void> {
	await answer.body?.cancel();
}
