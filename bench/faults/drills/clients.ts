import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { breakConnection, bytesOf, filesOf, type RawRequest } from "../../../packages/server/test/support/break-off.ts";
import { formOf, log } from "../../../packages/server/test/support/import-site.ts";
import { childrenOf } from "../../support/process-figures.ts";
import { ownerHeaders } from "../../support/site.ts";
import { COLLECTING, streamedRequests } from "../../support/streamed-requests.ts";
import { checkOutcome } from "../check.ts";
import type { Drill } from "../drill.ts";
import { until } from "../until.ts";

const TIMES = { short: 1_000, long: 10_000 };
const AT_ONCE = 8;
/** A live stream may say no more than its head for a while. */
const MOST_READ = 500;

const lacks = () => (process.platform === "linux" ? undefined : "open files and processes are read from /proc");

const hangUps: Drill = {
	name: "hang-ups",
	does: "clients that break off uploads, downloads, exports, streams and batches at any byte, beside the load",
	lacks,
	async play(stage) {
		const service = await stage.start({ NODE_OPTIONS: COLLECTING });
		await stage.takeHits(service);
		const { random } = stage;
		const requests = Object.values(await streamedRequests(service.url, stage.site)).map(bytesOf);
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

const ROUNDS = { short: 3, long: 50 };

/** The process that reads the file of an import, under load: killed, and with a client that hangs up while its upload is checked. */
const imports: Drill = {
	name: "imports",
	does: "the process that reads an import is killed, and clients hang up while their uploads are checked, beside the load",
	lacks,
	async play(stage) {
		const service = await stage.start();
		await stage.takeHits(service);
		const path = `/api/v1/imports?account_id=${stage.site.id}`;
		let headers: Readonly<Record<string, string>>;
		const request = (name: string, fields: Record<string, string>): RawRequest => {
			const form = formOf({ source: "access_log", ...fields }, { bytes: `${log.repeat(20_000)}${name}` });
			return { method: "POST", path, headers: { ...headers, ...form.headers }, body: form.payload };
		};
		const reader = () => childrenOf(service.pid).find((pid) => isReader(pid));
		const kill = (pid: number | undefined) => pid !== undefined && process.kill(pid, "SIGKILL");
		const rounds = stage.isShort ? ROUNDS.short : ROUNDS.long;
		for (let round = 0; round < rounds; round++) {
			// A session of before has ended by the last rounds.
			headers = await ownerHeaders(service.url);
			const hungUp = breakConnection(service.port, bytesOf(request(`hang-up ${round}`, {})), {});
			await hungUp;
			await until(() => reader() === undefined);
			const { headers: types, body } = request(`kill ${round}`, { dry_run: "true" });
			const sent = await fetch(service.url + path, {
				method: "POST",
				headers: types,
				body: new Uint8Array(Buffer.from(body ?? "")),
			});
			const { data: made } = (await sent.json()) as { data: { import_id: string } };
			await until(() => reader() !== undefined);
			kill(reader());
			const at = `${service.url}/api/v1/imports/${made.import_id}?account_id=${stage.site.id}`;
			const status = async () => {
				const answer = await fetch(at, { headers });
				return ((await answer.json()) as { data: { status: string } }).data.status;
			};
			// It is read again after a quarter of a minute.
			if (!stage.isShort) await until(async () => (await status()) === "validated");
			else if ((await status()) !== "validating") throw new Error("an import without its reader has ended");
			await fetch(at, { method: "DELETE", headers });
		}
		await stage.takeHits(service);
		const outcome = await checkOutcome(stage, { collector: service });
		return { ...outcome, note: `${rounds} readers were killed and ${rounds} uploads left` };
	},
};

function isReader(pid: number): boolean {
	try {
		return readFileSync(`/proc/${pid}/cmdline`, "latin1").includes("import-process");
	} catch {
		return false;
	}
}

export const clientDrills: readonly Drill[] = [hangUps, imports];
