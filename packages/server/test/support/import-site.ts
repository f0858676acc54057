import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { createSite, sharedTestApp, signIn } from "./accounts.ts";
import { requestOf } from "./request-of.ts";
import type { TestApp, testApp } from "./test-app.ts";

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

export type ImportSite = Awaited<ReturnType<typeof importSite>>;

type Fields = Readonly<Record<string, string>>;

type ImportAnswer = Record<string, unknown> & {
	readonly import_id: string;
	readonly status: string;
	readonly report: Record<string, unknown>;
};

export async function importSite(
	app: TestApp,
	of: { readonly email?: string; readonly name?: string; readonly timezone?: string; readonly domains?: string[] } = {},
) {
	const ann = await signIn(app, { email: of.email ?? "ann@example.com" });
	const site = await createSite(app, ann, { name: "Shop", ...of });
	const upload = (bytes: string | Uint8Array, fields: Fields = {}, name = "access.log") => {
		const { payload, headers } = formOf({ source: "access_log", ...fields }, { bytes, name });
		const url = `/api/v1/imports?account_id=${site}`;
		return app.inject({ method: "POST", url, payload, headers: { ...ann.headers, ...headers } });
	};
	const call = (request: string, site_id = "account_id") => {
		return app.inject(requestOf(request, { headers: ann.headers, query: `${site_id}=${site}` }));
	};
	return {
		ann,
		site,
		upload,
		call: (request: string) => call(request),
		/** Sends a file, imports it and answers what it has become. */
		async import(bytes: string | Uint8Array, fields: Fields = {}): Promise<ImportAnswer> {
			const sent = await upload(bytes, { dry_run: "false", ...fields });
			assert.equal(sent.statusCode, 201, sent.body);
			await app.jobs.runDue();
			return (await call(`GET /imports/${sent.json().data.import_id}`)).json().data;
		},
		/** Answer of a report, without its time. */
		async report(path: string): Promise<ReturnType<typeof JSON.parse>> {
			const answer = await call(`GET ${path}`, "site_id");
			assert.equal(answer.statusCode, 200, answer.body);
			const { timestamp: _, ...body } = answer.json();
			return body;
		},
	};
}

/** A service for the tests of a file, and sites of it that files are imported into, each with an owner of its own. */
export function importApp(options: Parameters<typeof testApp>[0] = {}) {
	const app = sharedTestApp({ seeksInsights: false, ...options });
	let sites = 0;
	const newSite = (timezone = "UTC") => {
		sites++;
		return importSite(app, { email: `ann-${sites}@example.com`, name: `Shop ${sites}`, timezone });
	};
	return { app, newSite };
}

export const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0";
export const CHROME =
	"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36";
const GOOGLE = "https://www.google.com/";
const GOOGLEBOT = "Googlebot/2.1 (+http://www.google.com/bot.html)";

/** A moment as logs write it. */
export function logTime(ms: number): string {
	const text = new Date(ms).toUTCString();
	return `${text.slice(5, 7)}/${text.slice(8, 11)}/${text.slice(12, 16)}:${text.slice(17, 25)} +0000`;
}

export const line = (address: string, time: string, request: string, status = 200, referrer = "-", agent = FIREFOX) =>
	`${address} - - [${time}] "${request}" ${status} 512 "${referrer}" "${agent}"`;

/** A log of a few lines, in two visits and one, with what does not count beside them. */
export const log = [
	line("192.0.2.1", "10/Nov/2026:10:00:00 +0000", "GET /?utm_source=mail&utm_medium=email HTTP/1.1"),
	line("192.0.2.1", "10/Nov/2026:10:00:01 +0000", "GET /style.css HTTP/1.1", 200, "https://shop.example/"),
	line("192.0.2.1", "10/Nov/2026:10:05:00 +0000", "GET /cart HTTP/1.1", 304, "https://www.shop.example/"),
	line("192.0.2.1", "10/Nov/2026:10:06:00 +0000", "POST /cart HTTP/1.1", 200, "https://shop.example/cart"),
	line("192.0.2.1", "10/Nov/2026:11:00:00 +0000", "GET /late HTTP/1.1"),
	line("192.0.2.2", "11/Nov/2026:09:00:00 +0100", "GET /a%20b.html?q=1 HTTP/1.1", 200, GOOGLE, CHROME),
	line("192.0.2.3", "11/Nov/2026:09:00:00 +0000", "GET /gone HTTP/1.1", 404),
	line("192.0.2.4", "11/Nov/2026:09:00:00 +0000", "GET / HTTP/1.1", 200, "-", GOOGLEBOT),
	"what is this?",
	line("192.0.2.5", "21/Nov/2027:09:00:00 +0000", "GET /future HTTP/1.1"),
	"",
].join("\n");
