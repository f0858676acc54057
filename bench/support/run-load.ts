import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { LoadPlan, LoadResult } from "./load-process.ts";

const program = fileURLToPath(new URL("load-process.ts", import.meta.url));

/** Sends hits from a process of its own; `onBegin` is called when everything is built and the first hit leaves. */
export async function runLoad(plan: LoadPlan, onBegin: () => void = () => undefined): Promise<LoadResult> {
	const child = fork(program);
	child.send(plan);
	await once(child, "message");
	onBegin();
	child.send("go");
	const [result] = (await once(child, "message")) as [LoadResult];
	return result;
}
