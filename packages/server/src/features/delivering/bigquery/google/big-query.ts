import type { Clock } from "../../../../platform/lib/clock.ts";
import { MINUTE_MS } from "../../../../platform/lib/durations.ts";
import { uuid } from "../../../../platform/lib/ids.ts";
import { type Authorized, authorized, type ServiceAccount } from "./authorized.ts";
import { errorOfJob, type GoogleAnswer, GoogleError, isPassing } from "./send.ts";

/** Bytes of a file in memory at a time; Google requires multiples of 256 KiB. */
const PIECE_BYTES = 4 * 1024 ** 2;
/** How often one piece is sent without any of it arriving. */
const FRUITLESS = 4;

interface Upload {
	readonly google: Authorized;
	readonly session: string;
	readonly signal: AbortSignal | undefined;
}

interface UploadStart {
	readonly url: string;
	readonly description: unknown;
	readonly signal?: AbortSignal | undefined;
}

/**
 * Uploads a file whose length is not known before its end, piece by piece (the resumable protocol): a piece that was lost is
 * sent again from where Google has it. Answers what the last piece was answered.
 */
async function uploadFile(google: Authorized, start: UploadStart, file: AsyncIterable<Uint8Array>) {
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
async function sendPiece(upload: Upload, piece: Buffer<ArrayBuffer>, from: number, total: number | undefined) {
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

/** Sends bytes; after an unknown outcome asks Google how many it has. */
async function put(
	{ google, session, signal }: Upload,
	bytes: Buffer<ArrayBuffer>,
	place: { readonly at: number; readonly end: number; readonly total: number | undefined },
) {
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

/** A dataset and the way to it. Project, dataset, location and the names of tables are of closed patterns: they stand in URLs. */
export interface BigQueryAddress {
	readonly project: string;
	readonly dataset: string;
	readonly location: string;
}

export interface BigQueryParameter {
	readonly type: "STRING" | "DATE" | "TIMESTAMP";
	readonly value: string;
}

export interface TableResource {
	readonly schema: { readonly fields: readonly object[] };
	readonly [property: string]: unknown;
}

const json = { "content-type": "application/json" };
const LONGEST_JOB_MS = 15 * MINUTE_MS;
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 3000;

interface JobAnswer {
	readonly status?: {
		readonly state?: string;
		readonly errorResult?: { readonly reason?: string; readonly message?: string };
	};
}

interface Opening {
	readonly clock: Clock;
	readonly baseUrl: string | undefined;
	readonly signal?: AbortSignal | undefined;
}

/** BigQuery of one dataset. Everything throws `GoogleError`, and bears to be done again. */
export type BigQuery = ReturnType<typeof openBigQuery>;

/** Opens a dataset with the key of a service account; nothing is asked yet. */
export function openBigQuery({ clock, baseUrl, signal }: Opening, account: ServiceAccount, at: BigQueryAddress) {
	const api = baseUrl ?? "https://bigquery.googleapis.com";
	const google = authorized(clock, account, baseUrl);
	const project = `/bigquery/v2/projects/${at.project}`;
	const datasets = `${api}${project}/datasets`;
	const tables = `${datasets}/${at.dataset}/tables`;
	const ask = (method: "GET" | "POST" | "DELETE", url: string, content?: unknown) =>
		google.patiently({
			url,
			method,
			signal,
			...(content !== undefined && { headers: json, body: JSON.stringify(content) }),
		});
	const reference = (tableId: string) => ({ projectId: at.project, datasetId: at.dataset, tableId });
	const newJob = (configuration: object) => {
		const jobId = `footfall_${uuid()}`;
		const jobReference = { projectId: at.project, jobId, location: at.location };
		return { jobId, description: { jobReference, configuration } };
	};
	return {
		/** Its location; undefined when there is no such dataset. */
		findDataset: async (): Promise<string | undefined> => {
			const found = await unless("missing", ask("GET", `${datasets}/${at.dataset}`));
			if (found === undefined) return undefined;
			const { location } = (found.body ?? {}) as { location?: unknown };
			return typeof location === "string" ? location : "";
		},
		createDataset: async (description: string): Promise<void> => {
			const datasetReference = { projectId: at.project, datasetId: at.dataset };
			await unless("exists", ask("POST", datasets, { datasetReference, location: at.location, description }));
		},
		hasTable: async (table: string) =>
			(await unless("missing", ask("GET", `${tables}/${table}?view=BASIC`))) !== undefined,
		createTable: async (table: string, resource: TableResource): Promise<void> => {
			await unless("exists", ask("POST", tables, { tableReference: reference(table), ...resource }));
		},
		dropTable: async (table: string) => void (await unless("missing", ask("DELETE", `${tables}/${table}`))),
		/** Makes objects, one a line, the whole content of a table; resolves when the upload has ended, with the id of the running job. */
		load: async (table: string, schema: TableResource["schema"], rows: AsyncIterable<Uint8Array>) => {
			const load = {
				destinationTable: reference(table),
				schema,
				sourceFormat: "NEWLINE_DELIMITED_JSON",
				createDisposition: "CREATE_IF_NEEDED",
				writeDisposition: "WRITE_TRUNCATE",
			};
			const { jobId, description } = newJob({ load });
			const url = `${api}/upload${project}/jobs?uploadType=resumable`;
			await uploadFile(google, { url, description, signal }, rows);
			return jobId;
		},
		begin: async (sql: string, parameters: Readonly<Record<string, BigQueryParameter>>) => {
			const queryParameters = Object.entries(parameters).map(([name, { type, value }]) => ({
				name,
				parameterType: { type },
				parameterValue: { value },
			}));
			const query = { query: sql, useLegacySql: false, parameterMode: "NAMED", queryParameters };
			const { jobId, description } = newJob({ query });
			// A job that is there already was begun by an attempt whose answer was lost.
			await unless("exists", ask("POST", `${api}${project}/jobs`, description));
			return jobId;
		},
		end: (jobId: string): Promise<void> => {
			const url = `${api}${project}/jobs/${jobId}?location=${at.location}`;
			return endOf(clock, async () => ((await ask("GET", url)).body ?? {}) as JobAnswer, signal);
		},
	};
}

async function endOf(clock: Clock, look: () => Promise<JobAnswer>, signal: AbortSignal | undefined): Promise<void> {
	for (let waited = 0, wait = FIRST_PAUSE_MS; waited < LONGEST_JOB_MS; wait = Math.min(wait * 1.5, LONGEST_PAUSE_MS)) {
		const { status } = await look();
		if (status?.errorResult !== undefined) throw errorOfJob(status.errorResult);
		if (status?.state === "DONE") return;
		await clock.sleep(wait, signal);
		waited += wait;
	}
	throw new GoogleError("passing", "jobTookTooLong", { detail: "A job of BigQuery's took longer than 15 minutes" });
}

/** Result of a request, or undefined if it failed with this fault. */
async function unless<T>(fault: "missing" | "exists", asked: Promise<T>): Promise<T | undefined> {
	try {
		return await asked;
	} catch (error) {
		if (error instanceof GoogleError && error.fault === fault) return undefined;
		throw error;
	}
}
