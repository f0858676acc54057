import { connect, type Socket } from "node:net";

/** Callbacks of a connection. */
interface LoadConnectionHandlers {
	/** The next request, or undefined to end. */
	next(): Buffer | undefined;
	/** A whole answer: its status and the milliseconds it took. */
	answered(status: number, ms: number): void;
	/** The connection broke with a request on its way, or could not be opened. */
	broke(): void;
	/** No request is left. */
	ended(): void;
}

const isWhole = (chunk: Buffer) => chunk.length >= 4 && chunk.readUInt32BE(chunk.length - 4) === 0x0d0a0d0a;
const statusOf = (chunk: Buffer) => Number(chunk.toString("latin1", 9, 12));

/** One keep-alive connection with one request on its way at a time; it understands answers without a body only. */
export function openLoadConnection(port: number, handlers: LoadConnectionHandlers): Socket {
	const socket = connect({ port, host: "127.0.0.1", noDelay: true });
	let sentAt = 0;
	let status = 0;
	let isDone = false;
	const send = () => {
		const request = handlers.next();
		if (request === undefined) {
			isDone = true;
			socket.end();
			handlers.ended();
			return;
		}
		status = 0;
		sentAt = performance.now();
		socket.write(request);
	};
	const broke = () => {
		if (isDone) return;
		isDone = true;
		socket.destroy();
		handlers.broke();
	};
	socket.on("connect", send);
	socket.on("data", (chunk: Buffer) => {
		if (status === 0) status = statusOf(chunk);
		if (!isWhole(chunk)) return;
		handlers.answered(status, performance.now() - sentAt);
		send();
	});
	socket.on("error", broke);
	socket.on("close", broke);
	return socket;
}
