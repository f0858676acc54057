import { AwsClient } from "aws4fetch";
import type { Clock } from "../lib/clock.ts";
import { MINUTE_MS } from "../lib/durations.ts";
import { FileStoreError } from "./file-store.ts";
import type { S3Address } from "./s3-address.ts";

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
export type SendToBucket = (url: string, request?: S3Request) => Promise<Response>;

/** A temporary failure. */
class PassingError extends FileStoreError {}

/**
 * Signs requests (AWS Signature Version 4) and sends them, again when the store is busy or the connection breaks. A request
 * must bear to be done twice.
 */
export function signedRequests(address: S3Address, clock: Clock): SendToBucket {
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

async function sendOnce(
	client: AwsClient,
	clock: Clock,
	url: string,
	{ signal, ...request }: S3Request,
): Promise<Response> {
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

/** Gives the connection of an answer free whose content nobody reads. */
export async function drained(answer: Response): Promise<void> {
	await answer.body?.cancel();
}
