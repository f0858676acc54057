import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { LoadPlan, LoadResult } from "./load-process.ts";

const program = fileURLToPath(new URL("load-process.ts", import.meta.url));

/** A process that sends hits on request. */
export interface Load {
	/** Sends hits for a number of seconds; resolves with the result of all turns so far. */
	turn(seconds: number): Promise<LoadResult>;
	close(): void;
}

/** Starts a process that sends hits; everything is built when this resolves. */
export async function openLoad(plan: LoadPlan): Promise<Load> {
	const child = fork(program);
	child.send(plan);
	await once(child, "message");
	return {
		async turn(seconds) {
			child.send(seconds);
			const [result] = (await once(child, "message")) as [LoadResult];
			return result;
		},
		close: () => child.disconnect(),
	};
}
