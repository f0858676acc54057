import { systemClock } from "../../lib/clock.ts";
import { lowerPriority } from "../../lib/lower-priority.ts";
import { releaseMemory } from "../../lib/memory.ts";
import { type Engine, openEngine } from "./engine.ts";
import { createHttpInterface } from "./http-interface.ts";
import { loadNativeEngine } from "./native-engine.ts";
import type { ChildMessage, ParentMessage } from "./start-process.ts";

// Entry of the store process: it alone loads the engine, and lives and dies with its parent.

const CLOSE_WITHIN_MS = 2000;
/** By then the service has asked what it needs to begin. */
const RELEASE_AFTER_MS = 2000;

/** A step behind the service itself: on a busy machine hits are answered before rows are merged. */
const NICENESS = 5;
// Before the engine begins its threads.
lowerPriority(NICENESS);

const endNow = () => process.kill(process.pid, "SIGKILL");

// The parent closes this process in its own order; a signal to the whole group must not come between.
process.on("SIGINT", () => undefined);
process.on("SIGTERM", () => undefined);
// Without a parent there are no clients; the directory survives a sudden end.
process.on("disconnect", endNow);

const native = loadNativeEngine();
let close = (): void => process.exit(0);

process.on("message", (message: ParentMessage) => {
	if (message.kind === "close") return close();
	const engine = openEngine(native, message.directory, message.memoryBytes);
	const server = createHttpInterface(engine, message.secret);
	close = closeOnce(engine, server);
	server.listen(message.socketPath, () => {
		process.send?.({ kind: "ready" } satisfies ChildMessage);
		systemClock.after(RELEASE_AFTER_MS, releaseMemory);
	});
});

/** Lets what is under way end for a while, then closes the engine's files. */
function closeOnce(engine: Engine, server: ReturnType<typeof createHttpInterface>): () => void {
	let closing = false;
	return () => {
		if (closing) return;
		closing = true;
		systemClock.after(CLOSE_WITHIN_MS, endNow);
		server.close(() => {
			engine.close();
			process.exit(0);
		});
		server.closeIdleConnections();
	};
}
