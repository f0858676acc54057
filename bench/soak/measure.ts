import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { readSums } from "../faults/reports.ts";
import { waitingBytes } from "../faults/service.ts";
import { makeTemplate, setStage } from "../faults/stage.ts";
import { until } from "../faults/until.ts";
import { withStore } from "../support/table-sizes.ts";
import { type Sample, takeSample } from "./sample.ts";

const SAMPLES = 40;
const program = fileURLToPath(new URL("full-load.ts", import.meta.url));

/** Runs the load and samples the service; at the end its reports are asked. */
export async function measure(forMs: number) {
	// A visit of the soak ends so soon that the number of running ones stops growing within the warm-up.
	const env = { SESSION_TIMEOUT_MINUTES: "1", LOG_LEVEL: "warn" };
	const template = await makeTemplate(env);
	const stage = setStage(template, { seed: 1, isShort: false, env });
	try {
		const service = await stage.start();
		const load = fork(program);
		load.send({ host: "127.0.0.1", siteId: stage.site.id, token: template.token, port: service.port });
		const samples: Sample[] = [];
		for (let index = 0; index < SAMPLES; index++) {
			await pause(forMs / SAMPLES);
			samples.push(takeSample(stage.dataDir, service, ((index + 1) * forMs) / SAMPLES));
		}
		load.send("stop");
		const [{ sent, acknowledged }] = (await once(load, "message")) as [{ sent: number; acknowledged: number }];
		await until(async () => (await waitingBytes(service)) === 0);
		const sums = await readSums(service.url, stage.site);
		await service.stop();
		const [parts] = await withStore(stage.dataDir, (store) =>
			store.query<{ parts: number }>({
				sql: "SELECT count() AS parts FROM system.parts WHERE active AND database = currentDatabase() AND table = 'events'",
			}),
		);
		console.log(`${parts?.parts ?? 0} parts of the event store at the end`);
		return { samples, sent, acknowledged, reported: sums.pageViews + sums.conversions };
	} finally {
		await stage.close();
		template.remove();
	}
}
