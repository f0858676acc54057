// A load balancer over some ports of this machine, round robin; it sends its own port by IPC.
import { type AddressInfo, connect, createServer } from "node:net";

const ports = process.argv.slice(2).map(Number);
let next = 0;
const server = createServer((client) => {
	const behind = connect(ports[next++ % ports.length] ?? 0, "127.0.0.1");
	const end = () => {
		client.destroy();
		behind.destroy();
	};
	client.setNoDelay(true).on("error", end).on("close", end).pipe(behind);
	behind.setNoDelay(true).on("error", end).on("close", end).pipe(client);
});
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
process.on("disconnect", () => process.exit(0));
