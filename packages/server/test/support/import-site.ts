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
	/** Answer of a report, without its time. */
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

/** User agents. */
export const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0";
export const CHROME =
	"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36";

/** A line of the combined format. */
export const line = (address: string, time: string, request: string, status = 200, referrer = "-", agent = FIREFOX) =>
	`${address} - - [${time}] "${request}" ${status} 512 "${referrer}" "${agent}"`;

/** A log of a few lines, in two visits and one, with what does not count beside them. */
export const log = [
	line("192.0.2.1", "10/Nov/2026:10:00:00 +0000", "GET /?utm_source=mail&utm_medium=email HTTP/1.1"),
	line("192.0.2.1", "10/Nov/2026:10:00:01 +0000", "GET /style.css HTTP/1.1", 200, "https://shop.example/"),
	line("192.0.2.1", "10/Nov/2026:10:05:00 +0000", "GET /cart HTTP/1.1", 304, "https://www.shop.example/"),
	line("192.0.2.1", "10/Nov/2026:10:06:00 +0000", "POST /cart HTTP/1.1", 200, "https://shop.example/cart"),
	line("192.0.2.1", "10/Nov/2026:11:00:00 +0000", "GET /late HTTP/1.1"),
	line(
		"192.0.2.2",
		"11/Nov/2026:09:00:00 +0100",
		"GET /a%20b.html?q=1 HTTP/1.1",
		200,
		"https://www.google.com/",
		CHROME,
	),
	line("192.0.2.3", "11/Nov/2026:09:00:00 +0000", "GET /gone HTTP/1.1", 404),
	line(
		"192.0.2.4",
		"11/Nov/2026:09:00:00 +0000",
		"GET / HTTP/1.1",
		200,
		"-",
		"Googlebot/2.1 (+http://www.google.com/bot.html)",
	),
	"what is this?",
	line("192.0.2.5", "21/Nov/2027:09:00:00 +0000", "GET /future HTTP/1.1"),
	"",
].join("\n");
