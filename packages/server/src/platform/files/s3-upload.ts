import { FileStoreError } from "./file-store.ts";
import { inParts } from "./s3-parts.ts";
import { drained, type SendToBucket } from "./s3-requests.ts";

/** Uploads pieces as they come to one object; the number of bytes. When anything goes wrong the upload is given up, parts and all. */
export async function uploadInParts(
	send: SendToBucket,
	url: string,
	pieces: AsyncIterable<Uint8Array>,
	signal: AbortSignal | undefined,
): Promise<number> {
	signal?.throwIfAborted();
	// Not aborted on the way: an upload whose id nobody has heard of could not be given up.
	const begun = await send(`${url}?uploads=`, { method: "POST" });
	const answered = await begun.text();
	if (begun.status === 404) throw new FileStoreError("no_bucket", "The bucket does not exist");
	const upload = `${url}?uploadId=${encodeURIComponent(textOf(answered, "UploadId"))}`;
	try {
		const { tags, bytes } = await uploadParts(send, upload, pieces, signal);
		signal?.throwIfAborted();
		await complete(send, { url, upload, tags, bytes });
		return bytes;
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
	for await (const part of inParts(pieces)) {
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

interface UploadEnd {
	readonly url: string;
	readonly upload: string;
	readonly tags: readonly string[];
	readonly bytes: number;
}

async function complete(send: SendToBucket, { url, upload, tags, bytes }: UploadEnd): Promise<void> {
	const done = await send(upload, { method: "POST", body: partList(tags) });
	const answered = await done.text();
	// An upload that could not be put together answers 200 too.
	if (done.ok && answered.includes("CompleteMultipartUploadResult")) return;
	// It may have been completed before, by a request whose answer got lost.
	if (done.status === 404 && (await sizeOf(send, url)) === bytes) return;
	throw new FileStoreError("upload_incomplete", "The file store did not complete the upload");
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
