import { readdirSync } from "node:fs";
import { join } from "node:path";
import { breakConnection, bytesOf, filesOf } from "../../../packages/server/test/support/break-off.ts";
import { COLLECTING, streamedRequests } from "../../support/streamed-requests.ts";
import { checkOutcome } from "../check.ts";
import type { Drill } from "../drill.ts";
import { until } from "../until.ts";

const TIMES = { short: 1_000, long: 10_000 };
const AT_ONCE = 8;
/** A live stream may say no more than its head for a while. */
const MOST_READ = 500;

const hangUps: Drill = {
	name: "hang-ups",
	does: "clients that break off uploads, downloads, exports, streams and batches at any byte, beside the load",
	lacks: () => (process.platform === "linux" ? undefined : "open files are read from /proc"),
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

export const clientDrills: readonly Drill[] = [hangUps];
