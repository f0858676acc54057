import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type MountedDisk, mountSkip, mountSmallDisk } from "../../../packages/server/test/support/small-disk.ts";
import { checkOutcome } from "../check.ts";
import type { Drill } from "../drill.ts";
import type { Service } from "../service.ts";
import type { Stage } from "../stage.ts";
import { until } from "../until.ts";

/** A segment of the spool is given back when it has grown to four; this leaves room for the next beside it. */
const MEGABYTES = 16;
const SYNC_MS = { short: 250, long: 2_000 };
const preload = fileURLToPath(new URL("../unsteady-disk.ts", import.meta.url));

function mounted(stage: Stage): MountedDisk {
	const folder = join(stage.dataDir, "spool");
	rmSync(folder, { recursive: true, force: true });
	const disk = mountSmallDisk(folder, MEGABYTES);
	stage.atEnd(() => disk.unmount());
	return disk;
}

const lacks = () => mountSkip || undefined;

/** No hit is acknowledged now; the answer is 503 and the service says that it is not ready. */
async function refusesHits(stage: Stage, service: Service): Promise<void> {
	await until(async () => (await service.get("/readyz")).status === 503);
	const before = stage.load.refused(503);
	await until(() => stage.load.refused(503) > before + 5);
}

const full: Drill = {
	name: "disk-full",
	does: "the disk of the spool is full under load, then has room again; once more with a kill while it is full",
	lacks,
	async play(stage) {
		const disk = mounted(stage);
		let service = await stage.start();
		await stage.takeHits(service);
		disk.fill();
		await refusesHits(stage, service);
		disk.free();
		await stage.takeHits(service);
		disk.fill();
		await refusesHits(stage, service);
		await service.kill();
		service = await stage.start();
		disk.free();
		await stage.takeHits(service);
		return checkOutcome(stage, { collector: service });
	},
};

const readOnly: Drill = {
	name: "disk-read-only",
	does: "writes end with EROFS and EIO under load; then the disk of the spool really is read-only at a start",
	lacks,
	async play(stage) {
		const disk = mounted(stage);
		const mood = join(stage.dataDir, "mood");
		const env = { NODE_OPTIONS: `--import=${preload}`, UNSTEADY_DISK: mood };
		const first = await stage.start(env);
		await stage.takeHits(first);
		for (const code of ["EROFS", "EIO"]) {
			writeFileSync(mood, `fail ${code}`);
			stage.load.aim(first.port);
			const before = stage.load.refused(503);
			await until(() => stage.load.refused(503) > before + 5);
			writeFileSync(mood, "");
			await stage.takeHits(first);
		}
		await first.kill();
		disk.setReadOnly(true);
		const start = await stage.start().then(
			(service) => ({ service, says: "starts" }),
			(error: Error) => ({ service: undefined, says: error.message }),
		);
		if (start.service !== undefined) {
			stage.load.aim(start.service.port);
			await refusesHits(stage, start.service);
		}
		await start.service?.kill();
		disk.setReadOnly(false);
		const second = await stage.start();
		await stage.takeHits(second);
		const outcome = await checkOutcome(stage, { collector: second });
		const [line = ""] = start.says.split("\n");
		return { ...outcome, note: `a start on a read-only disk: ${line.replace(stage.dataDir, "DATA_DIR")}` };
	},
};

const slow: Drill = {
	name: "disk-slow",
	does: "each sync of the service takes long, then the service is killed",
	async play(stage) {
		const mood = join(stage.dataDir, "mood");
		const ms = stage.isShort ? SYNC_MS.short : SYNC_MS.long;
		const first = await stage.start({ NODE_OPTIONS: `--import=${preload}`, UNSTEADY_DISK: mood });
		await stage.takeHits(first);
		writeFileSync(mood, `slow ${ms}`);
		await stage.takeHits(first, 60);
		await first.kill();
		if (existsSync(mood)) rmSync(mood);
		const second = await stage.start();
		await stage.takeHits(second);
		const outcome = await checkOutcome(stage, { collector: second });
		return { ...outcome, note: `${ms} ms a sync, in the calls of the process` };
	},
};

export const diskDrills: readonly Drill[] = [full, readOnly, slow];
