import type { Authorized } from "./authorized.ts";
import { GoogleError, isPassing } from "./google-error.ts";
import type { GoogleAnswer } from "./send.ts";

/** Bytes of a file in memory at a time; Google requires multiples of 256 KiB. */
const PIECE_BYTES = 4 * 1024 ** 2;
/** How often one piece is sent without any of it arriving. */
const FRUITLESS = 4;

interface Upload {
	readonly google: Authorized;
	readonly session: string;
	readonly signal: AbortSignal | undefined;
}

/** Start of an upload: the address for files, and the metadata of the file. */
interface UploadStart {
	readonly url: string;
	readonly description: unknown;
	readonly signal?: AbortSignal | undefined;
}

/**
 * Uploads a file whose length is not known before its end, piece by piece (the resumable protocol): a piece that was lost is
 * sent again from where Google has it. Answers what the last piece was answered.
 */
export async function uploadFile(
	google: Authorized,
	start: UploadStart,
	file: AsyncIterable<Uint8Array>,
): Promise<GoogleAnswer> {
	const upload = { google, session: await begin(google, start), signal: start.signal };
	let piece = Buffer.allocUnsafe(PIECE_BYTES);
	let [filled, sent] = [0, 0];
	for await (const bytes of file) {
		for (let at = 0; at < bytes.byteLength; ) {
			// Only what is not the last piece may be sent without the length of all.
			if (filled === PIECE_BYTES) {
				await sendPiece(upload, piece, sent, undefined);
				sent += filled;
				filled = 0;
				piece = Buffer.allocUnsafe(PIECE_BYTES);
			}
			const take = Math.min(PIECE_BYTES - filled, bytes.byteLength - at);
			piece.set(bytes.subarray(at, at + take), filled);
			filled += take;
			at += take;
		}
	}
	const last = await sendPiece(upload, piece.subarray(0, filled), sent, sent + filled);
	if (last === undefined) throw lost();
	return last;
}

const lost = () => new GoogleError("passing", "uploadLost", { detail: "An upload did not arrive" });

async function begin(google: Authorized, { url, description, signal }: UploadStart): Promise<string> {
	const { headers } = await google.patiently({
		url,
		method: "POST",
		headers: { "content-type": "application/json", "x-upload-content-type": "application/octet-stream" },
		body: JSON.stringify(description),
		signal,
	});
	const session = URL.parse(headers.get("location") ?? "");
	// The token goes there: to the same host, whatever the answer says.
	if (session === null || session.origin !== new URL(url).origin) throw lost();
	return session.href;
}

/** Sends a piece until all of it is there; undefined when more is to follow. */
async function sendPiece(
	upload: Upload,
	piece: Buffer<ArrayBuffer>,
	from: number,
	total: number | undefined,
): Promise<GoogleAnswer | undefined> {
	const end = from + piece.length;
	let at = from;
	for (let fruitless = 0; fruitless < FRUITLESS; fruitless++) {
		const answer = await put(upload, piece.subarray(at - from), { at, end, total });
		if (answer.status !== 308) return answer;
		const arrived = arrivedBytes(answer);
		if (arrived < at || arrived > end) throw lost();
		if (arrived === end && total === undefined) return undefined;
		if (arrived > at) fruitless = 0;
		at = arrived;
	}
	throw lost();
}

interface Place {
	readonly at: number;
	readonly end: number;
	readonly total: number | undefined;
}

/** Sends bytes; after an unknown outcome asks Google how many it has. */
async function put({ google, session, signal }: Upload, bytes: Buffer<ArrayBuffer>, place: Place) {
	const request = { url: session, method: "PUT", expects: [308], signal } as const;
	const total = place.total ?? "*";
	const range = bytes.length === 0 ? `bytes */${total}` : `bytes ${place.at}-${place.end - 1}/${total}`;
	try {
		return await google.once({ ...request, headers: { "content-range": range }, body: bytes });
	} catch (error) {
		if (!isPassing(error)) throw error;
		const asked = { ...request, headers: { "content-range": `bytes */${total}` } };
		return google.patiently(asked);
	}
}

const arrivedBytes = ({ headers }: GoogleAnswer): number => {
	const last = /^bytes=0-(\d{1,15})$/.exec(headers.get("range") ?? "")?.[1];
	return last === undefined ? 0 : Number(last) + 1;
};
