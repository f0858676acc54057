import { flushCompileCache } from "node:module";
import { lowerPriority } from "../../../platform/lib/lower-priority.ts";
import type { ChildWish, ReadMessage } from "./read-apart.ts";
import { readFile } from "./read-file.ts";

// Entry of a process that reads the file of an import: parsing would block the collector, and a hostile file may take all memory.

/** Behind the service and its event store. */
const NICENESS = 15;
lowerPriority(NICENESS);

process.on("SIGINT", () => undefined);
process.on("SIGTERM", () => undefined);
process.on("disconnect", () => process.exit(1));

/** One message may be on its way while the next is made; to a note of how far the file is read there is no answer. */
let answered: Promise<unknown> = Promise.resolve();
async function send(message: ReadMessage): Promise<void> {
	if (message.kind !== "progress") {
		await answered;
		answered = new Promise((resolve) => process.once("message", resolve));
	}
	process.send?.(message);
}

process.once("message", async (wish: ChildWish) => {
	const end = await readFile(wish, send);
	await answered;
	// This process is killed once its end is known: it would leave its modules to be compiled again by the next one.
	flushCompileCache();
	process.send?.(end, () => process.exit(0));
});
