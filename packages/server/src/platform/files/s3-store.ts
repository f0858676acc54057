import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import type { Clock } from "../lib/clock.ts";
import { checkFileName, type FileStore, FileStoreError, isFileName, type StoredFile } from "./file-store.ts";
import { readS3Address, type S3Address } from "./s3-address.ts";
import { drained, type SendToBucket, signedRequests } from "./s3-requests.ts";
import { uploadInParts } from "./s3-upload.ts";

/** Limit on the check whether files can be stored. */
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
