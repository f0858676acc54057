import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { LightMyRequestResponse } from "fastify";
import { createSite, type Session, signIn } from "./accounts.ts";
import type { TestApp } from "./test-app.ts";

/** A form with a file, as browsers send it. */
export function formOf(
	fields: Readonly<Record<string, string>>,
	file?: { readonly name?: string; readonly field?: string; readonly bytes: string | Uint8Array },
): { readonly payload: Buffer; readonly headers: { readonly "content-type": string } } {
	const boundary = `form-${randomUUID()}`;
	const parts = Object.entries(fields).map(([name, value]) =>
		Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`),
	);
	if (file !== undefined) {
		const { name = "access.log", field = "file", bytes } = file;
		const head = `--${boundary}\r\nContent-Disposition: form-data; name="${field}"; filename="${name}"\r\nContent-Type: application/octet-stream\r\n\r\n`;
		parts.push(Buffer.from(head), Buffer.from(bytes), Buffer.from("\r\n"));
	}
	return {
		payload: Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]),
		headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
	};
}

/** A site into which files are imported. */
export interface ImportSite {
	readonly ann: Session;
	readonly site: string;
	/** Sends a file; the answer. */
	upload(
		bytes: string | Uint8Array,
		fields?: Readonly<Record<string, string>>,
		name?: string,
	): Promise<LightMyRequestResponse>;
	/** A call as `POST /imports/x/run`, below the version prefix. */
	call(request: string): Promise<LightMyRequestResponse>;
	/** Sends a file, imports it and answers what it has become. */
	import(bytes: string | Uint8Array, fields?: Readonly<Record<string, string>>): Promise<ImportAnswer>;
	/** What a report answers, without the moment of the answer. */
	report(path: string): Promise<unknown>;
}

export type ImportAnswer = Record<string, unknown> & {
	readonly import_id: string;
	readonly status: string;
	readonly report: Record<string, unknown>;
};

/** Makes a site of a new user. */
export async function importSite(
	app: TestApp,
	of: { readonly email?: string; readonly name?: string; readonly timezone?: string; readonly domains?: string[] } = {},
): Promise<ImportSite> {
	const ann = await signIn(app, { email: of.email ?? "ann@example.com" });
	const site = await createSite(app, ann, { name: "Shop", ...of });
	const upload: ImportSite["upload"] = (bytes, fields = {}, name = "access.log") => {
		const { payload, headers } = formOf({ source: "access_log", ...fields }, { bytes, name });
		const url = `/api/v1/imports?account_id=${site}`;
		return app.inject({ method: "POST", url, payload, headers: { ...ann.headers, ...headers } });
	};
	const call: ImportSite["call"] = (request) => {
		const [method = "GET", path = ""] = request.split(" ");
		const url = `/api/v1${path}${path.includes("?") ? "&" : "?"}account_id=${site}`;
		return app.inject({ method: method as "GET", url, headers: ann.headers });
	};
	return {
		ann,
		site,
		upload,
		call,
		import: async (bytes, fields = {}) => {
			const sent = await upload(bytes, { dry_run: "false", ...fields });
			assert.equal(sent.statusCode, 201, sent.body);
			await app.jobs.runDue();
			return (await call(`GET /imports/${sent.json().data.import_id}`)).json().data;
		},
		report: async (path) => {
			const url = `/api/v1${path}${path.includes("?") ? "&" : "?"}site_id=${site}`;
			const answer = await app.inject({ url, headers: ann.headers });
			assert.equal(answer.statusCode, 200, answer.body);
			const { timestamp: _, ...body } = answer.json();
			return body;
		},
	};
}
