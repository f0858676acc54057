import type { Clock } from "../../../../platform/lib/clock.ts";
import { MINUTE_MS } from "../../../../platform/lib/durations.ts";
import { uuid } from "../../../../platform/lib/ids.ts";
import { authorized, createAccessTokens, googleHosts } from "./authorized.ts";
import { errorOfJob, GoogleError } from "./google-error.ts";
import type { ServiceAccount } from "./service-account.ts";
import { uploadFile } from "./upload.ts";

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

/** BigQuery of one dataset. Everything throws `GoogleError`, and bears to be done again. */
export interface BigQuery {
	/** Location of the dataset; undefined when there is none. */
	findDataset(): Promise<string | undefined>;
	createDataset(description: string): Promise<void>;
	hasTable(table: string): Promise<boolean>;
	createTable(table: string, resource: TableResource): Promise<void>;
	dropTable(table: string): Promise<void>;
	/** Makes objects, one a line, the whole content of a table; resolves when the upload has ended, with the running job. */
	load(table: string, schema: TableResource["schema"], rows: AsyncIterable<Uint8Array>): Promise<BigQueryJob>;
	begin(sql: string, parameters: Readonly<Record<string, BigQueryParameter>>): Promise<BigQueryJob>;
	/** Waits for the end of a job; throws when it failed. */
	end(job: BigQueryJob): Promise<void>;
}

export interface BigQueryJob {
	readonly id: string;
}

interface Options {
	readonly clock: Clock;
	readonly baseUrl: string | undefined;
	readonly signal?: AbortSignal | undefined;
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

/** Opens a dataset with the key of a service account; nothing is asked yet. */
export function openBigQuery(
	{ clock, baseUrl, signal }: Options,
	account: ServiceAccount,
	at: BigQueryAddress,
): BigQuery {
	const hosts = googleHosts(baseUrl);
	const google = authorized(clock, createAccessTokens({ clock, hosts }, account));
	const project = `/bigquery/v2/projects/${at.project}`;
	const datasets = `${hosts.api}${project}/datasets`;
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
		return { job: { id: jobId }, description: { jobReference, configuration } };
	};
	return {
		findDataset: async () => {
			const found = await unless("missing", ask("GET", `${datasets}/${at.dataset}`));
			if (found === undefined) return undefined;
			const { location } = (found.body ?? {}) as { location?: unknown };
			return typeof location === "string" ? location : "";
		},
		createDataset: async (description) => {
			const datasetReference = { projectId: at.project, datasetId: at.dataset };
			await unless("exists", ask("POST", datasets, { datasetReference, location: at.location, description }));
		},
		hasTable: async (table) => (await unless("missing", ask("GET", `${tables}/${table}?view=BASIC`))) !== undefined,
		createTable: async (table, resource) => {
			await unless("exists", ask("POST", tables, { tableReference: reference(table), ...resource }));
		},
		dropTable: async (table) => void (await unless("missing", ask("DELETE", `${tables}/${table}`))),
		load: async (table, schema, rows) => {
			const load = {
				destinationTable: reference(table),
				schema,
				sourceFormat: "NEWLINE_DELIMITED_JSON",
				createDisposition: "CREATE_IF_NEEDED",
				writeDisposition: "WRITE_TRUNCATE",
			};
			const { job, description } = newJob({ load });
			const url = `${hosts.api}/upload${project}/jobs?uploadType=resumable`;
			await uploadFile(google, { url, description, signal }, rows);
			return job;
		},
		begin: async (sql, parameters) => {
			const queryParameters = Object.entries(parameters).map(([name, { type, value }]) => ({
				name,
				parameterType: { type },
				parameterValue: { value },
			}));
			const query = { query: sql, useLegacySql: false, parameterMode: "NAMED", queryParameters };
			const { job, description } = newJob({ query });
			// A job that is there already was begun by an attempt whose answer was lost.
			await unless("exists", ask("POST", `${hosts.api}${project}/jobs`, description));
			return job;
		},
		end: ({ id }) => {
			const url = `${hosts.api}${project}/jobs/${id}?location=${at.location}`;
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
