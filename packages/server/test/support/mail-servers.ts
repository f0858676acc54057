import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";

interface Received {
	readonly from: string;
	readonly to: readonly string[];
	readonly source: string;
}

export type MailServers = ReturnType<typeof mailServers>;

/** No server yet; close them all after the test. */
export function mailServers() {
	const closing: (() => unknown)[] = [];
	return {
		/** One that keeps what it receives; without STARTTLS unless the options say otherwise. */
		async smtp(options: SMTPServerOptions = {}) {
			const received: Received[] = [];
			const server = smtpServer(received, options);
			await once(server.listen(0, "127.0.0.1"), "listening");
			closing.push(() => server.close());
			return { received, port: portOf(server.server) };
		},
		/** One that says what it wants, to see what a real one never does. Answers its port. */
		async raw(onConnection: (socket: Socket) => void) {
			const sockets = new Set<Socket>();
			const server = createServer((socket) => {
				sockets.add(socket);
				socket.on("error", () => undefined);
				onConnection(socket);
			});
			await once(server.listen(0, "127.0.0.1"), "listening");
			closing.push(() => {
				for (const socket of sockets) socket.destroy();
				server.close();
			});
			return portOf(server);
		},
		close() {
			for (const close of closing.splice(0)) close();
		},
	};
}

function smtpServer(received: Received[], options: SMTPServerOptions): SMTPServer {
	const server = new SMTPServer({
		authOptional: true,
		disabledCommands: ["STARTTLS"],
		logger: false,
		onData: async (stream, { envelope: { mailFrom, rcptTo } }, done) => {
			const source = await text(stream);
			const from = mailFrom === false ? "" : mailFrom.address;
			received.push({ from, to: rcptTo.map(({ address }) => address), source });
			done();
		},
		...options,
	});
	// Errors caused by the peer are the subject of these tests.
	server.on("error", () => undefined);
	return server;
}

const portOf = (server: Server) => (server.address() as AddressInfo).port;
