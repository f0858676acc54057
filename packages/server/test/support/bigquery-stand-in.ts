import { generateKeyPairSync, randomUUID } from "node:crypto";
import { jwtVerify } from "jose";
import { type GotRequest, type Reply, serveLocally } from "./local-server.ts";

export type { GotRequest } from "./local-server.ts";

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

/** Outcomes of what is alike, each a number of times. */
class Faults<Thing, Outcome> {
	readonly #left: { readonly when: (thing: Thing) => boolean; readonly outcome: Outcome; times: number }[] = [];

	add = (when: (thing: Thing) => boolean, outcome: Outcome, times = 1) =>
		void this.#left.push({ when, outcome, times });

	of(thing: Thing): Outcome | undefined {
		const fault = this.#left.find(({ when, times }) => times > 0 && when(thing));
		if (fault !== undefined) fault.times--;
		return fault?.outcome;
	}

	clear = () => void this.#left.splice(0);
}

interface JobError {
	readonly reason: string;
	readonly message: string;
}

/** A load or a query as the service sends it. */
type Job = ReturnType<typeof JSON.parse>;

const failure = (status: number, reason: string, message: string): Reply => ({
	status,
	body: { error: { code: status, message, errors: [{ reason, message }] } },
});

/** BigQuery's and its sign-in's HTTP interface, as far as the service uses it. */
export type BigQueryStandIn = Awaited<ReturnType<typeof openBigQueryStandIn>>;

export async function openBigQueryStandIn() {
	const state = new StandIn();
	const { port, close } = await serveLocally((request) => state.take(request));
	return Object.assign(state, { url: `http://127.0.0.1:${port}`, close });
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
	readonly #tokens = new Set<string>();
	/** `drop` hangs up when the request was worked on. */
	readonly #faults = new Faults<GotRequest, Reply>();
	readonly #jobFaults = new Faults<string, JobError>();
	readonly #jobs = new Map<string, { looks: number; readonly error: JobError | undefined }>();
	readonly #uploads = new Map<string, { readonly job: Job; bytes: Buffer }>();
	/** Makes requests that are like this fail, a number of times. */
	readonly fail = this.#faults.add;
	/** Ends the next jobs whose configuration is like this with an error. */
	readonly failJobs = this.#jobFaults.add;
	/** No token that was given is taken any more. */
	readonly revokeTokens = () => this.#tokens.clear();

	/** Rows of a table, without the columns that change with each sync. */
	rows(table: string, site?: string): Record<string, unknown>[] {
		const rows = this.tables.get(`footfall.${table}`)?.rows ?? [];
		return rows
			.filter((row) => site === undefined || row.account_id === site)
			.map(({ sync_id: _, synced_at: __, ...row }) => row);
	}

	/** Forgets requests, tables, datasets and faults; tokens stay valid. */
	reset(): void {
		this.requests.length = 0;
		for (const kept of [this.tables, this.datasets, this.#faults, this.#jobFaults]) kept.clear();
		this.looksBeforeDone = 0;
		this.before = async () => {};
	}

	async take(request: GotRequest): Promise<Reply> {
		this.requests.push(request);
		await this.before(request);
		const fault = this.#faults.of(request);
		if (fault !== undefined && fault !== "drop") return fault;
		const answer = await this.#answer(request);
		return fault ?? answer;
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
		return { body: { access_token: token, expires_in: 3599, token_type: "Bearer" } };
	}

	#dataset({ method, body }: GotRequest, name: string): Reply {
		if (method === "POST") {
			const { datasetReference, location } = JSON.parse(body.toString());
			if (this.datasets.has(datasetReference.datasetId)) return failure(409, "duplicate", "Already Exists");
			this.datasets.set(datasetReference.datasetId, { location });
			return { body: { location } };
		}
		const dataset = this.datasets.get(name);
		return dataset === undefined ? failure(404, "notFound", "Not found: Dataset") : { body: dataset };
	}

	#table({ method, body }: GotRequest, dataset: string, name: string): Reply {
		if (method === "POST") {
			const resource = JSON.parse(body.toString());
			const key = `${dataset}.${resource.tableReference.tableId}`;
			if (!this.datasets.has(dataset)) return failure(404, "notFound", "Not found: Dataset");
			if (this.tables.has(key)) return failure(409, "duplicate", "Already Exists");
			this.tables.set(key, { resource, fields: resource.schema.fields, rows: [] });
			return { body: resource };
		}
		const table = this.tables.get(`${dataset}.${name}`);
		if (table === undefined) return failure(404, "notFound", "Not found: Table");
		if (method !== "DELETE") return { body: table.resource };
		this.tables.delete(`${dataset}.${name}`);
		return { status: 204 };
	}

	#upload({ method, headers, body }: GotRequest, url: URL): Reply {
		if (method === "POST") {
			const id = String(this.#uploads.size + 1);
			this.#uploads.set(id, { job: JSON.parse(body.toString()), bytes: Buffer.alloc(0) });
			return { headers: { location: `${this.url}${url.pathname}?uploadType=resumable&upload_id=${id}` } };
		}
		const upload = this.#uploads.get(url.searchParams.get("upload_id") ?? "");
		if (upload === undefined) return failure(404, "notFound", "No such upload");
		const [, from, total] = /^bytes (?:(\d+)-\d+|\*)\/(\d+|\*)$/.exec(headers["content-range"] ?? "") ?? [];
		if (from !== undefined && Number(from) === upload.bytes.length) upload.bytes = Buffer.concat([upload.bytes, body]);
		const { job, bytes } = upload;
		if (Number(total) !== bytes.length) {
			return { status: 308, ...(bytes.length > 0 && { headers: { range: `bytes=0-${bytes.length - 1}` } }) };
		}
		const { destinationTable, schema } = job.configuration.load;
		const key = `${destinationTable.datasetId}.${destinationTable.tableId}`;
		const table = this.tables.get(key) ?? { resource: {}, fields: schema.fields, rows: [] };
		this.tables.set(key, table);
		return this.#begin(job, () => loadLines(table, bytes.toString("utf8")));
	}

	#query(job: Job): Reply {
		if (this.#jobs.has(job.jobReference.jobId)) return failure(409, "duplicate", "Already Exists: Job");
		const { query, queryParameters } = job.configuration.query;
		const given = Object.fromEntries(
			queryParameters.map(({ name, parameterValue }: Job) => [name, parameterValue.value]),
		);
		const find = (name: string) => this.tables.get(name.replace(/^[^.]+\./, ""));
		return this.#begin(job, () => runStatement(query, given, find));
	}

	#begin({ jobReference: { jobId }, configuration }: Job, work: () => string | undefined): Reply {
		const fault = this.#jobFaults.of(JSON.stringify(configuration));
		const message = fault === undefined ? work() : undefined;
		this.#jobs.set(jobId, { looks: 0, error: message === undefined ? fault : { reason: "invalid", message } });
		return { body: { jobReference: { jobId }, status: { state: "RUNNING" } } };
	}

	#look(id: string): Reply {
		const job = this.#jobs.get(id);
		if (job === undefined) return failure(404, "notFound", "Not found: Job");
		const isDone = job.looks++ >= this.looksBeforeDone;
		const errorResult = isDone && job.error !== undefined ? { errorResult: job.error } : {};
		return { body: { status: { state: isDone ? "DONE" : "RUNNING", ...errorResult } } };
	}
}

interface StoredTable {
	readonly resource: Readonly<Record<string, unknown>>;
	readonly fields: readonly { readonly name: string; readonly type: string; readonly mode: string }[];
	rows: Record<string, unknown>[];
}

/** Valid values of each type in a loaded file. */
const fits: Readonly<Record<string, (value: unknown) => boolean>> = {
	STRING: (value) => typeof value === "string",
	INT64: (value) => Number.isSafeInteger(value),
	NUMERIC: (value) => typeof value === "string" && /^-?\d{1,29}(\.\d{1,9})?$/.test(value),
	DATE: (value) => typeof value === "string" && /^\d{4}-\d{2}-\d{2}$/.test(value),
	TIMESTAMP: (value) => typeof value === "string" && /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(value),
	JSON: (value) => typeof value === "object" && value !== null,
};

/** Turns the lines of a file into rows of the table; errors are returned like those of a job. */
function loadLines(table: StoredTable, text: string): string | undefined {
	const rows: Record<string, unknown>[] = [];
	for (const line of text.split("\n").filter((one) => one !== "")) {
		const row = JSON.parse(line) as Record<string, unknown>;
		const known = new Set(table.fields.map(({ name }) => name));
		const stranger = Object.keys(row).find((name) => !known.has(name));
		if (stranger !== undefined) return `No such field: ${stranger}`;
		for (const { name, type, mode } of table.fields) {
			const value = row[name] ?? null;
			if (value === null ? mode === "REQUIRED" : fits[type]?.(value) !== true) return `Bad value of ${name}: ${line}`;
		}
		rows.push(row);
	}
	table.rows = rows;
	return undefined;
}

type Parameters = Readonly<Record<string, string>>;

const conditions: Readonly<Record<string, (row: Record<string, unknown>, given: Parameters) => boolean>> = {
	"T.account_id = @account_id": (row, given) => row.account_id === given.account_id,
	"T.sync_id = @sync_id": (row, given) => row.sync_id === given.sync_id,
	"T.date BETWEEN @date_from AND @date_to": (row, given) =>
		String(row.date) >= String(given.date_from) && String(row.date) <= String(given.date_to),
};

/** True for the rows that a condition of the service is about. */
const rowsOf = (where: string, given: Parameters) => (row: Record<string, unknown>) =>
	where.split(/ AND (?=T\.)/).every((part) => {
		const holds = conditions[part];
		if (holds === undefined) throw new Error(`The stand-in does not know the condition ${part}`);
		return holds(row, given);
	});

const merge =
	/^MERGE `(.+)` AS T\nUSING `(.+)` AS S\nON FALSE\nWHEN NOT MATCHED BY TARGET THEN INSERT \((.+)\)\nVALUES \((.+)\)\nWHEN NOT MATCHED BY SOURCE AND (.+) THEN DELETE$/;
const clear = /^DELETE FROM `(.+)` AS T\nWHERE (.+)$/;

/** Runs the statements that the service writes, and no others; errors are returned like those of a job. */
function runStatement(
	sql: string,
	given: Parameters,
	find: (name: string) => StoredTable | undefined,
): string | undefined {
	const [, cleared, which = ""] = clear.exec(sql) ?? [];
	const [, target, source = "", into = "", values = "", where = which] = merge.exec(sql) ?? [];
	const name = cleared ?? target;
	if (name === undefined) throw new Error(`The stand-in does not know the statement ${sql}`);
	const [table, loaded] = [find(name), find(source)];
	if (table === undefined) return `Not found: Table ${name}`;
	const goes = rowsOf(where, given);
	const left = table.rows.filter((row) => !goes(row));
	if (cleared !== undefined) table.rows = left;
	if (cleared !== undefined) return undefined;
	if (loaded === undefined) return `Not found: Table ${source}`;
	const columns = into.replaceAll("`", "").split(", ");
	const stranger = columns.find((column) => !table.fields.some((field) => field.name === column));
	if (stranger !== undefined) return `Unrecognized name: ${stranger}`;
	const valuesOf = values.replaceAll("`", "").split(", ");
	const valueIn = (row: Record<string, unknown>, value = "") =>
		value.startsWith("@") ? given[value.slice(1)] : row[value.replace("S.", "")];
	const added = loaded.rows.map((row) =>
		Object.fromEntries(columns.map((column, at) => [column, valueIn(row, valuesOf[at]) ?? null])),
	);
	table.rows = [...left, ...added];
	return undefined;
}
