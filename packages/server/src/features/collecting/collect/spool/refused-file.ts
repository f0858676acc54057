import { crc32 } from "node:zlib";

/** Header of a file of refused rows: enough to load it without anything else. */
export interface RefusedRows {
	readonly table: string;
	readonly columns: readonly string[];
	/** The token under which the rows go in: under it they never count twice. */
	readonly token: string;
	readonly rows: number;
	/** The engine's name of its error. */
	readonly error: string;
	/** When they were set aside, ISO 8601. */
	readonly at: string;
}

const TITLE = "footfall refused rows 1";

/** First line: title and CRC-32 of all that follows; second line: JSON; then TabSeparated rows. */
export function encodeRefused(rows: RefusedRows, tsv: Uint8Array): Buffer {
	const body = Buffer.concat([Buffer.from(`${JSON.stringify(rows)}\n`), tsv]);
	return Buffer.concat([Buffer.from(`${TITLE} ${checksum(body)}\n`), body]);
}

/** The rows of such a file; undefined when it is damaged. */
export function decodeRefused(bytes: Buffer): { readonly rows: RefusedRows; readonly tsv: Buffer } | undefined {
	const titleEnd = bytes.indexOf("\n") + 1;
	const body = bytes.subarray(titleEnd);
	if (bytes.toString("latin1", 0, titleEnd) !== `${TITLE} ${checksum(body)}\n`) return undefined;
	const headEnd = body.indexOf("\n") + 1;
	return {
		rows: JSON.parse(body.toString("utf8", 0, headEnd)) as RefusedRows,
		tsv: body.subarray(headEnd),
	};
}

const checksum = (bytes: Uint8Array) => crc32(bytes).toString(16).padStart(8, "0");
