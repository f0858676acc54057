import type { AddressInfo } from "node:net";
import { openEngine } from "./engine.ts";
import { createHttpInterface } from "./http-interface.ts";
import { type ChildMessage, childVariables, type ParentMessage } from "./messages.ts";

// Entry of the store process: it alone loads the engine, and lives and dies with its parent.

const CLOSE_WITHIN_MS = 5000;

const required = (name: string): string => {
	const value = process.env[name];
	if (value === undefined) throw new Error(`${name} is not set`);
	delete process.env[name];
	return value;
};
const tell = (message: ChildMessage) => process.send?.(message);

// The parent closes this process in its own order; a signal to the whole group must not come between.
process.on("SIGINT", () => undefined);
process.on("SIGTERM", () => undefined);
// Without a parent there is nobody to answer to; the directory is safe against a sudden end.
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));

const engine = openEngine(required(childVariables.directory), {
	memoryBytes: Number(required(childVariables.memoryBytes)),
});
const server = createHttpInterface(engine, required(childVariables.secret));
let closing = false;

function close(): void {
	if (closing) return;
	closing = true;
	const end = () => {
		engine.close();
		tell({ kind: "closed" });
		process.exit(0);
	};
	server.close(end);
	server.closeIdleConnections();
	setTimeout(() => process.kill(process.pid, "SIGKILL"), CLOSE_WITHIN_MS).unref();
}

process.on("message", (message: ParentMessage) => {
	if (message.kind === "close") close();
});
server.listen(0, "127.0.0.1", () => tell({ kind: "ready", port: (server.address() as AddressInfo).port }));
