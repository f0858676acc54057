import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { freePort } from "./free-port.ts";

/** A server as its clients see it: it can be away, silent, or there. */
export type UnsteadyServer = Awaited<ReturnType<typeof unsteadyServer>>;

/** Stands before a server on this machine, named by its port or its socket file; away at first. */
export async function unsteadyServer(target: number | string) {
	const sockets = new Set<Socket>();
	let isSilent = false;
	let server: Server | undefined;
	let changed: (data: Buffer) => Buffer = (data) => data;
	const keep = (socket: Socket) => {
		sockets.add(socket);
		socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
	};
	const port = await freePort();
	const accept = (client: Socket) => {
		keep(client);
		if (isSilent) return;
		const behind = typeof target === "string" ? connect(target) : connect(target, "127.0.0.1");
		keep(behind);
		client.on("data", (data: Buffer) => isSilent || behind.write(changed(data))).on("close", () => behind.destroy());
		behind.on("data", (data) => isSilent || client.write(data)).on("close", () => client.destroy());
	};
	const listen = async () => {
		if (server !== undefined) return;
		server = createServer(accept).listen(port, "127.0.0.1");
		await once(server, "listening");
	};
	const goAway = async () => {
		const closed = server === undefined ? undefined : once(server, "close");
		server?.close();
		server = undefined;
		for (const socket of sockets) socket.destroy();
		await closed;
	};
	return {
		port,
		/** Refuses connections and ends those that are open. */
		goAway,
		close: goAway,
		/** Changes what clients send on its way, until told otherwise. */
		garble(change: (data: Buffer) => Buffer = (data) => data) {
			changed = change;
		},
		/** Takes connections and never answers, on open ones neither. */
		async fallSilent() {
			isSilent = true;
			await listen();
		},
		async comeBack() {
			if (isSilent) await goAway();
			isSilent = false;
			await listen();
		},
	};
}
