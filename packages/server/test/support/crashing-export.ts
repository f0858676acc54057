// The service as a process that ends itself by SIGKILL while it makes an export:
// node crashing-export.ts DATA_DIR API_KEY PHASE CONVERSION_TYPE
import type { EventStore } from "../../src/platform/event-store/event-store.ts";
import { days, filesBelow } from "./export-site.ts";
import { testApp } from "./test-app.ts";

const [dataDir = "", apiKey = "", phase = "", conversion_type = ""] = process.argv.slice(2);

function end(): never {
	process.kill(process.pid, "SIGKILL");
	throw new Error("killed");
}

let counts = 0;
const wrapEventStore = (store: EventStore): EventStore => ({
	...store,
	query: async (query) => {
		// The first count is that of the request.
		if (/^SELECT count\(\) AS total\nFROM/.test(query.sql) && ++counts === 2 && phase === "counting") end();
		return store.query(query);
	},
	async *streamBytes(query) {
		if (phase === "before the first row") end();
		let pieces = 0;
		for await (const piece of store.streamBytes(query)) {
			yield piece;
			if (phase === "in the middle" && ++pieces === 2) end();
		}
	},
});

const app = await testApp({ dataDir, wrapEventStore, env: { REPORT_CACHE_BYTES: "0" } });
const now = () => app.clock.now();
if (phase === "between the file and the state") {
	const stood = now();
	const before = filesBelow(dataDir);
	Object.assign(app.clock, {
		now: () => (filesBelow(dataDir).some((name) => name.endsWith(".csv") && !before.includes(name)) ? end() : stood),
	});
}
await app.inject({
	method: "POST",
	url: "/api/v1/exports?account_id=shop",
	headers: { "x-api-key": apiKey },
	payload: { export_type: "conversions", ...days, filters: { conversion_type } },
});
await app.jobs.runDue();
process.exit(3);
