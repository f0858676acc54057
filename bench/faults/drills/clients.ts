import { readdirSync } from "node:fs";
import { join } from "node:path";
import { breakConnection, bytesOf, filesOf, type RawRequest } from "../../../packages/server/test/support/break-off.ts";
import { formOf, log } from "../../../packages/server/test/support/import-site.ts";
import { benchOwner } from "../../support/site.ts";
import { checkOutcome } from "../check.ts";
import type { Drill } from "../drill.ts";
import type { Service } from "../service.ts";
import type { Stage } from "../stage.ts";
import { until } from "../until.ts";

const TIMES = { short: 1_000, long: 10_000 };
const AT_ONCE = 8;
/** A live stream may say no more than its head for a while. */
const MOST_READ = 500;

/** Has the service collect its garbage at a signal: a file that lost its owner ends the process then. */
const COLLECTING =
	"--import \"data:text/javascript,import v8 from 'node:v8';import vm from 'node:vm';v8.setFlagsFromString('--expose-gc');" +
	"process.on('SIGUSR2',()=>vm.runInNewContext('gc')())\"";

async function post(service: Service, path: string, body: object, headers: Record<string, string> = {}) {
	const response = await fetch(`${service.url}/api/v1${path}`, {
		method: "POST",
		headers: { ...headers, "content-type": "application/json" },
		body: JSON.stringify(body),
	});
	if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
	return response.json();
}

/** Requests whose body is a stream, or whose answer is one. */
async function streamedRequests(service: Service, { site }: Stage): Promise<RawRequest[]> {
	const { data } = (await post(service, "/auth/token", benchOwner)) as { data: { access_token: string } };
	const headers = { authorization: `Bearer ${data.access_token}` };
	const json = { ...headers, "content-type": "application/json" };
	const today = new Date().toISOString().slice(0, 10);
	const wish = { export_type: "conversions", format: "csv", date_from: today, date_to: today };
	const account = `account_id=${site.id}`;
	const made = (await post(service, `/exports?${account}`, wish, headers)) as { job: { download_url: string } };
	const link = new URL(made.job.download_url);
	const form = formOf({ source: "access_log" }, { bytes: log.repeat(200) });
	const overview = { endpoint: "/stats/overview", params: { site_id: site.id, period: "today" } };
	const queries = ["a", "b", "c", "d"].map((id) => ({ id, ...overview }));
	const call = { method: "POST", headers: json };
	const upload = { ...call, path: `/api/v1/imports?${account}`, headers: { ...headers, ...form.headers } };
	return [
		{ ...upload, body: form.payload },
		{ method: "GET", path: link.pathname + link.search, headers: {} },
		{ ...call, path: `/api/v1/exports/stream?${account}`, body: JSON.stringify(wish) },
		{ method: "GET", path: `/api/v1/stats/live/stream?site_id=${site.id}`, headers },
		{
			...call,
			path: "/api/v1/batch",
			headers: { ...json, accept: "application/x-ndjson" },
			body: JSON.stringify({ queries }),
		},
		{ method: "GET", path: "/api/v1/openapi.json", headers: {} },
	];
}

const hangUps: Drill = {
	name: "hang-ups",
	does: "clients that break off uploads, downloads, exports, streams and batches at any byte, beside the load",
	lacks: () => (process.platform === "linux" ? undefined : "open files are read from /proc"),
	async play(stage) {
		const service = await stage.start({ NODE_OPTIONS: COLLECTING });
		await stage.takeHits(service);
		const { random } = stage;
		const requests = (await streamedRequests(service, stage)).map(bytesOf);
		const times = stage.isShort ? TIMES.short : TIMES.long;
		const folders = ["imports", "exports"].map((name) => join(stage.dataDir, name));
		let begun = 0;
		const client = async () => {
			for (let at = begun++; at < times; at = begun++) {
				const bytes = requests[at % requests.length] ?? Buffer.alloc(0);
				const isAnswered = random.next() < 0.3;
				const read = Math.ceil(random.next() * MOST_READ);
				const sent = Math.floor(random.next() * (bytes.length + 1));
				await breakConnection(service.port, bytes, isAnswered ? { read } : { sent });
				if (at % 100 === 0) service.child.kill("SIGUSR2");
			}
		};
		await Promise.all(Array.from({ length: AT_ONCE }, client));
		await stage.takeHits(service, 150);
		service.child.kill("SIGUSR2");
		await until(() => filesOf(service.pid, folders).length === 0);
		const parts = readdirSync(folders[0] ?? "").filter((name) => name.endsWith(".part"));
		if (parts.length > 0) throw new Error(`${parts.length} parts of files are left`);
		const outcome = await checkOutcome(stage, { collector: service });
		return { ...outcome, note: `${times} connections were broken off` };
	},
};

export const clientDrills: readonly Drill[] = [hangUps];
