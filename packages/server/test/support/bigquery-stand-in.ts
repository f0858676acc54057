import { generateKeyPairSync, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { jwtVerify } from "jose";
import { loadLines, runStatement, type StoredTable } from "./bigquery-tables.ts";
import { listenLocally } from "./local-server.ts";

const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });

/** The key file of a service account that the stand-in knows. The addresses in it must not matter to anybody. */
export const serviceAccount = {
	type: "service_account",
	project_id: "shop-project",
	private_key_id: "0123456789abcdef",
	private_key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
	client_email: "footfall@shop-project.iam.gserviceaccount.com",
	token_uri: "https://127.0.0.1:1/token",
	auth_uri: "https://127.0.0.1:1/auth",
	universe_domain: "evil.example",
};

export interface GotRequest {
	readonly method: string;
	readonly path: string;
	readonly headers: IncomingMessage["headers"];
	readonly body: Buffer;
}

interface Reply {
	readonly status: number;
	readonly headers?: Readonly<Record<string, string>>;
	readonly body?: unknown;
}

interface Fault {
	readonly when: (request: GotRequest) => boolean;
	/** `drop` hangs up before an answer, when the request was worked on. */
	readonly answer: Reply | "drop";
	times: number;
}

/** BigQuery's and its sign-in's HTTP interface, as far as the service uses it. */
export type BigQueryStandIn = Awaited<ReturnType<typeof openBigQueryStandIn>>;

interface JobError {
	readonly reason: string;
	readonly message: string;
}

interface Job {
	looks: number;
	readonly error: JobError | undefined;
}

const failure = (status: number, reason: string, message: string): Reply => ({
	status,
	body: { error: { code: status, message, errors: [{ reason, message }] } },
});

export async function openBigQueryStandIn() {
	const state = new StandIn();
	const { port, close } = await listenLocally(createServer((request, response) => void state.take(request, response)));
	state.url = `http://127.0.0.1:${port}`;
	return Object.assign(state, { close });
}

interface Upload {
	readonly description: {
		readonly configuration: { readonly load: LoadConfiguration };
		readonly jobReference: { readonly jobId: string };
	};
	bytes: Buffer;
}

interface LoadConfiguration {
	readonly destinationTable: { readonly datasetId: string; readonly tableId: string };
	readonly schema: { readonly fields: StoredTable["fields"] };
}

class StandIn {
	url = "";
	readonly requests: GotRequest[] = [];
	/** By dataset and table, as `footfall.fact_pages`. */
	readonly tables = new Map<string, StoredTable>();
	readonly datasets = new Map<string, { readonly location: string }>();
	/** Jobs are said to run at so many looks. */
	looksBeforeDone = 0;
	before = async (_request: GotRequest): Promise<void> => {};
	#tokens = new Set<string>();
	readonly #faults: Fault[] = [];
	readonly #jobFaults: { when: (configuration: string) => boolean; error: JobError; times: number }[] = [];
	readonly #jobs = new Map<string, Job>();
	readonly #uploads = new Map<string, Upload>();

	/** Rows of a table, without the columns that change with each sync. */
	rows(table: string, site?: string): Record<string, unknown>[] {
		const rows = this.tables.get(`footfall.${table}`)?.rows ?? [];
		return rows
			.filter((row) => site === undefined || row.account_id === site)
			.map(({ sync_id: _, synced_at: __, ...row }) => row);
	}

	/** Makes requests that are like this fail, a number of times. */
	fail(when: Fault["when"], answer: Fault["answer"], times = 1): void {
		this.#faults.push({ when, answer, times });
	}

	/** Ends the next jobs that are alike with an error. */
	failJobs(when: (configuration: string) => boolean, error: JobError, times = 1): void {
		this.#jobFaults.push({ when, error, times });
	}

	/** No token that was given is taken any more. */
	revokeTokens(): void {
		this.#tokens.clear();
	}

	/** Forgets requests, tables, datasets and faults; tokens stay valid. */
	reset(): void {
		for (const list of [this.requests, this.#faults, this.#jobFaults]) list.length = 0;
		for (const map of [this.tables, this.datasets]) map.clear();
		this.looksBeforeDone = 0;
		this.before = async () => {};
	}

	async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const { method = "", url: path = "", headers } = request;
		const got: GotRequest = { method, path, headers, body: await buffer(request) };
		this.requests.push(got);
		await this.before(got);
		const fault = this.#faults.find((one) => one.times > 0 && one.when(got));
		if (fault !== undefined) fault.times--;
		const reply = fault === undefined || fault.answer === "drop" ? await this.#answer(got) : fault.answer;
		if (fault?.answer === "drop") return void request.socket.destroy();
		response.writeHead(reply.status, { "content-type": "application/json", ...reply.headers });
		response.end(reply.body === undefined ? "" : JSON.stringify(reply.body));
	}

	async #answer(request: GotRequest): Promise<Reply> {
		if (request.path === "/token") return this.#token(request);
		const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1] ?? "";
		if (!this.#tokens.has(token)) return failure(401, "authError", "Invalid Credentials");
		const url = new URL(request.path, this.url);
		const place = url.pathname.split("/").slice(1);
		if (place[0] === "upload") return this.#upload(request, url);
		const [, , , , kind, name = "", , table = ""] = place;
		if (kind === "datasets" && place.length > 6) return this.#table(request, name, table);
		if (kind === "datasets") return this.#dataset(request, name);
		if (kind === "jobs" && request.method === "POST") return this.#query(JSON.parse(request.body.toString()));
		if (kind === "jobs") return this.#look(name);
		return failure(404, "notFound", `No such place: ${url.pathname}`);
	}

	async #token({ body }: GotRequest): Promise<Reply> {
		const form = new URLSearchParams(body.toString());
		try {
			const { payload } = await jwtVerify(form.get("assertion") ?? "", publicKey, {
				audience: "https://oauth2.googleapis.com/token",
				issuer: serviceAccount.client_email,
				// The service under test has a clock of its own.
				currentDate: new Date("2026-11-21T12:30:00Z"),
				clockTolerance: 10 * 366 * 86_400,
			});
			if (payload.scope !== "https://www.googleapis.com/auth/bigquery") throw new Error("scope");
		} catch {
			return { status: 400, body: { error: "invalid_grant", error_description: "Invalid JWT Signature." } };
		}
		const token = randomUUID();
		this.#tokens.add(token);
		return { status: 200, body: { access_token: token, expires_in: 3599, token_type: "Bearer" } };
	}

	#dataset({ method, body }: GotRequest, name: string): Reply {
		if (method === "POST") {
			const { datasetReference, location } = JSON.parse(body.toString());
			if (this.datasets.has(datasetReference.datasetId)) return failure(409, "duplicate", "Already Exists");
			this.datasets.set(datasetReference.datasetId, { location });
			return { status: 200, body: { location } };
		}
		const dataset = this.datasets.get(name);
		return dataset === undefined ? failure(404, "notFound", "Not found: Dataset") : { status: 200, body: dataset };
	}

	#table({ method, body }: GotRequest, dataset: string, name: string): Reply {
		if (method === "POST") {
			const resource = JSON.parse(body.toString());
			const key = `${dataset}.${resource.tableReference.tableId}`;
			if (!this.datasets.has(dataset)) return failure(404, "notFound", "Not found: Dataset");
			if (this.tables.has(key)) return failure(409, "duplicate", "Already Exists");
			this.tables.set(key, { resource, fields: resource.schema.fields, rows: [] });
			return { status: 200, body: resource };
		}
		const table = this.tables.get(`${dataset}.${name}`);
		if (table === undefined) return failure(404, "notFound", "Not found: Table");
		if (method !== "DELETE") return { status: 200, body: table.resource };
		this.tables.delete(`${dataset}.${name}`);
		return { status: 204 };
	}

	#upload({ method, headers, body }: GotRequest, url: URL): Reply {
		if (method === "POST") {
			const id = String(this.#uploads.size + 1);
			this.#uploads.set(id, { description: JSON.parse(body.toString()), bytes: Buffer.alloc(0) });
			return { status: 200, headers: { location: `${this.url}${url.pathname}?uploadType=resumable&upload_id=${id}` } };
		}
		const upload = this.#uploads.get(url.searchParams.get("upload_id") ?? "");
		if (upload === undefined) return failure(404, "notFound", "No such upload");
		const [, from, total] = /^bytes (?:(\d+)-\d+|\*)\/(\d+|\*)$/.exec(headers["content-range"] ?? "") ?? [];
		if (from !== undefined && Number(from) === upload.bytes.length) upload.bytes = Buffer.concat([upload.bytes, body]);
		if (total !== undefined && total !== "*" && upload.bytes.length === Number(total)) return this.#load(upload);
		const range = upload.bytes.length === 0 ? {} : { range: `bytes=0-${upload.bytes.length - 1}` };
		return { status: 308, headers: range };
	}

	#load({ description, bytes }: Upload): Reply {
		const { destinationTable, schema } = description.configuration.load;
		const key = `${destinationTable.datasetId}.${destinationTable.tableId}`;
		const table = this.tables.get(key) ?? { resource: {}, fields: schema.fields, rows: [] };
		this.tables.set(key, table);
		return this.#begin(description.jobReference.jobId, JSON.stringify(description.configuration), () =>
			loadLines(table, bytes.toString("utf8")),
		);
	}

	#query({ jobReference, configuration }: QueryJob): Reply {
		if (this.#jobs.has(jobReference.jobId)) return failure(409, "duplicate", "Already Exists: Job");
		const given = Object.fromEntries(
			configuration.query.queryParameters.map(({ name, parameterValue }) => [name, parameterValue.value]),
		);
		const find = (name: string) => this.tables.get(name.replace(/^[^.]+\./, ""));
		return this.#begin(jobReference.jobId, JSON.stringify(configuration), () =>
			runStatement(configuration.query.query, given, find),
		);
	}

	#begin(id: string, configuration: string, work: () => string | undefined): Reply {
		const fault = this.#jobFaults.find((one) => one.times > 0 && one.when(configuration));
		if (fault !== undefined) fault.times--;
		const wrong = fault === undefined ? work() : undefined;
		const error = fault?.error ?? (wrong === undefined ? undefined : { reason: "invalid", message: wrong });
		this.#jobs.set(id, { looks: 0, error });
		return { status: 200, body: { jobReference: { jobId: id }, status: { state: "RUNNING" } } };
	}

	#look(id: string): Reply {
		const job = this.#jobs.get(id);
		if (job === undefined) return failure(404, "notFound", "Not found: Job");
		const isDone = job.looks++ >= this.looksBeforeDone;
		const errorResult = isDone && job.error !== undefined ? { errorResult: job.error } : {};
		return { status: 200, body: { status: { state: isDone ? "DONE" : "RUNNING", ...errorResult } } };
	}
}

interface QueryJob {
	readonly jobReference: { readonly jobId: string };
	readonly configuration: { readonly query: { readonly query: string; readonly queryParameters: readonly Given[] } };
}

interface Given {
	readonly name: string;
	readonly parameterValue: { readonly value: string };
}
