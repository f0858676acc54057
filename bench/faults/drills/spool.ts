import { readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkOutcome } from "../check.ts";
import type { Drill } from "../drill.ts";
import type { Service } from "../service.ts";
import type { Stage } from "../stage.ts";

/** A segment with hits that the event store does not have yet: the store is stopped, then the service is killed. */
async function leaveSegment(stage: Stage): Promise<string> {
	const service = await stage.start();
	await stage.takeHits(service);
	const store = service.storePid();
	if (store === undefined) throw new Error("the event store does not run");
	process.kill(store, "SIGSTOP");
	await stage.takeHits(service, 200);
	await stage.load.pause();
	await service.kill();
	// It is let go, so that it sees that its parent has died.
	try {
		process.kill(store, "SIGCONT");
	} catch {
		// It has been replaced.
	}
	const folder = join(stage.dataDir, "spool");
	const names = readdirSync(folder).filter((name) => name.endsWith(".seg"));
	const last = names.sort().at(-1);
	if (last === undefined) throw new Error("the spool holds no segment");
	return join(folder, last);
}

/** Message of the service about the spool when hits were lost. */
const says = (service: Service, text: string) => {
	if (!service.output().stderr.includes(text)) throw new Error(`the log does not say: ${text}`);
};

const MAGIC = "FFR2";
/** Hits of the records from a place of a segment to another, by their paths. */
function hitsIn(bytes: Buffer, from: number, to = bytes.length): number {
	return bytes.toString("latin1", from, to).match(/\/hit\/\d+/g)?.length ?? 0;
}

const torn: Drill = {
	name: "spool-torn",
	does: "a write that nobody was told of is left half done at the end of the spool: nothing acknowledged is lost",
	async play(stage) {
		const segment = await leaveSegment(stage);
		const bytes = readFileSync(segment);
		const last = bytes.lastIndexOf(MAGIC);
		writeFileSync(segment, Buffer.concat([bytes, bytes.subarray(last, last + 20)]));
		const service = await stage.start();
		await stage.takeHits(service);
		return checkOutcome(stage, { collector: service });
	},
};

const cut: Drill = {
	name: "spool-cut",
	does: "the disk loses the end of what was synced: the service says so, and loses no more than stood there",
	async play(stage) {
		const segment = await leaveSegment(stage);
		const bytes = readFileSync(segment);
		const last = bytes.lastIndexOf(MAGIC);
		truncateSync(segment, last + Math.floor((statSync(segment).size - last) / 2));
		const service = await stage.start();
		await stage.takeHits(service);
		const outcome = await checkOutcome(stage, { collector: service }, { mayLose: hitsIn(bytes, last) });
		says(service, "the end of a segment of the spool is torn");
		return outcome;
	},
};

const flipped: Drill = {
	name: "spool-flipped",
	does: "the disk flips a byte of the spool: the record is set aside and counted, the rest is loaded",
	async play(stage) {
		const segment = await leaveSegment(stage);
		const bytes = readFileSync(segment);
		const last = bytes.lastIndexOf(MAGIC);
		const from = bytes.lastIndexOf(MAGIC, last - 1);
		if (from === -1) throw new Error("the segment holds a single record");
		const at = from + 40;
		bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
		writeFileSync(segment, bytes);
		const service = await stage.start();
		await stage.takeHits(service);
		const health = await service.get("/health");
		const outcome = await checkOutcome(stage, { collector: service }, { mayLose: hitsIn(bytes, from, last) });
		says(service, "part of the spool is damaged and was moved aside");
		if (!health.text.includes("damage")) throw new Error(`/health does not tell of the damage: ${health.text}`);
		return outcome;
	},
};

export const spoolDrills: readonly Drill[] = [torn, cut, flipped];
