import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/** Systems give ports from here on to connections and to servers that ask for any (Linux: `ip_local_port_range`). */
const FIRST_GIVEN = 32_768;

/** A port of this machine that nobody listens on, and that the system gives to nobody, also while a server there is started again. */
export async function freePort(): Promise<number> {
	for (;;) {
		const port = randomInt(10_000, FIRST_GIVEN);
		const server = createServer();
		const isFree = await new Promise<boolean>((resolve) => {
			server.once("error", () => resolve(false));
			server.listen(port, "127.0.0.1", () => resolve(true));
		});
		if (!isFree) continue;
		await new Promise((resolve) => server.close(resolve));
		return port;
	}
}
