import { createHash } from "node:crypto";
import type { RawRequest } from "../../packages/server/test/support/break-off.ts";
import { formOf, log } from "../../packages/server/test/support/import-site.ts";
import { type BenchSite, benchOwner } from "./site.ts";

/** Has a service collect its garbage at a signal: a file that lost its owner ends the process then. */
export const COLLECTING =
	"--import \"data:text/javascript,import v8 from 'node:v8';import vm from 'node:vm';v8.setFlagsFromString('--expose-gc');" +
	"process.on('SIGUSR2',()=>vm.runInNewContext('gc')())\"";

/** Calls the API and gives its answer; throws for an error. */
async function post(url: string, path: string, body: object, headers: Record<string, string> = {}) {
	const response = await fetch(`${url}/api/v1${path}`, {
		method: "POST",
		headers: { ...headers, "content-type": "application/json" },
		body: JSON.stringify(body),
	});
	if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
	return response.json();
}

const callback = "https://app.example/callback";

/** Requests by name whose body is a stream, or whose answer is a stream, a file or a page. */
export async function streamedRequests(
	url: string,
	{ id: siteId, apiKey }: BenchSite,
): Promise<Readonly<Record<string, RawRequest>>> {
	const { data } = (await post(url, "/auth/token", benchOwner)) as { data: { access_token: string } };
	const headers = { authorization: `Bearer ${data.access_token}` };
	const json = { ...headers, "content-type": "application/json" };
	const today = new Date().toISOString().slice(0, 10);
	const days = { date_from: new Date(Date.now() - 29 * 86_400_000).toISOString().slice(0, 10), date_to: today };
	const account = `account_id=${siteId}`;
	const wish = { export_type: "conversions", format: "csv", ...days };
	const made = (await post(url, `/exports?${account}`, wish, headers)) as { job: { download_url: string } };
	const link = new URL(made.job.download_url);
	const registration = { redirect_uris: [callback], client_name: "Bench" };
	const { client_id: clientId } = (await post(url, "/oauth/register", registration)) as { client_id: string };
	const authorization = new URLSearchParams({
		response_type: "code",
		client_id: clientId,
		redirect_uri: callback,
		code_challenge: createHash("sha256").update("a").digest("base64url"),
		code_challenge_method: "S256",
	});
	const authorize = `/api/v1/oauth/authorize?${authorization}`;
	const asked = await fetch(url + authorize, { redirect: "manual" });
	const consent = new URL(asked.headers.get("location") ?? "", url);
	const overview = { endpoint: "/stats/overview", params: { site_id: siteId, period: "today" } };
	const queries = ["a", "b", "c", "d"].map((id) => ({ id, ...overview }));
	const get = (path: string, of: RawRequest["headers"] = {}): RawRequest => ({ method: "GET", path, headers: of });
	const call = (path: string, body: object, of: RawRequest["headers"] = json): RawRequest => ({
		method: "POST",
		path,
		headers: of,
		body: JSON.stringify(body),
	});
	const upload = (source: string, bytes: string): RawRequest => {
		const form = formOf({ source }, { bytes });
		return {
			method: "POST",
			path: `/api/v1/imports?${account}`,
			headers: { ...headers, ...form.headers },
			body: form.payload,
		};
	};
	const ofAssistant = {
		"x-api-key": apiKey,
		"content-type": "application/json",
		accept: "application/json, text/event-stream",
	};
	const mcp = (method: string, params: object = {}) =>
		call("/mcp", { jsonrpc: "2.0", id: 1, method, params }, ofAssistant);
	const stream = (format: string) => call(`/api/v1/exports/stream?${account}`, { ...wish, format });
	return {
		"upload of a log": upload("access_log", log.repeat(200)),
		"upload of a table": upload(
			"umami_csv",
			`created_at,visit_id,session_id,url_path,event_type\n${"x,".repeat(40_000)}`,
		),
		"upload of an archive": upload("plausible_zip", "PK\x03\x04".repeat(20_000)),
		download: get(link.pathname + link.search),
		"head of a download": { ...get(link.pathname + link.search), method: "HEAD" },
		"stream of CSV": stream("csv"),
		"stream of JSON": stream("json"),
		"stream of Parquet": stream("parquet"),
		"query as a file": call(`/api/v1/stats/query/export?site_id=${siteId}`, {
			...days,
			metrics: ["page_views", "entrances"],
			dimensions: ["path", "country", "browser"],
		}),
		"live stream": get(`/api/v1/stats/live/stream?site_id=${siteId}`, headers),
		"batch by lines": call("/api/v1/batch", { queries }, { ...json, accept: "application/x-ndjson" }),
		batch: call("/api/v1/batch", { queries }),
		"list of tools": mcp("tools/list"),
		"call of a tool": mcp("tools/call", { name: "list_sites", arguments: {} }),
		authorization: get(authorize),
		"page of consent": get(consent.pathname + consent.search),
		"exchange of a code": {
			method: "POST",
			path: "/api/v1/oauth/token",
			headers: { "content-type": "application/x-www-form-urlencoded" },
			body: `grant_type=authorization_code&code=none&client_id=${clientId}&code_verifier=${"a".repeat(43)}`,
		},
		"API description": get("/api/v1/openapi.json"),
		tracker: get(`/t.js?id=${siteId}`, { "accept-encoding": "br" }),
		dashboard: get("/", { "accept-encoding": "gzip" }),
	};
}
