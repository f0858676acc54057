import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { InjectOptions, LightMyRequestResponse } from "fastify";
import type { Service } from "../../src/composition/app.ts";

/** Paths that a load balancer sends to collectors; the rest goes to the API. */
const OF_COLLECTORS: ReadonlySet<string> = new Set(["/event", "/t.js"]);

export type Front = ReturnType<typeof openFront>;

/** Gives each request to the service that a load balancer would give it to, on the connection that it came by. */
export function openFront({ api, collect }: { readonly collect: Service; readonly api: Service }) {
	const turnOf = takingTurns(api);
	const serviceFor = (url: string) => (OF_COLLECTORS.has(url.split("?", 1)[0] ?? "") ? collect : api);
	let listening: Promise<{ readonly server: Server; readonly address: string }> | undefined;
	const listen = async (port: number) => {
		// A service closes connections whose answer it gives while it does not listen.
		await Promise.all([api, collect].map(({ app }) => app.listen({ host: "127.0.0.1", port: 0 })));
		const server = createServer({ requireHostHeader: false }, (request, response) => void pass(request, response));
		server.on("checkExpectation", pass);
		server.on("clientError", (...told) => void api.app.server.emit("clientError", ...told));
		server.requestTimeout = api.app.server.requestTimeout;
		server.keepAliveTimeout = api.app.server.keepAliveTimeout;
		await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
		return { server, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
	};
	const pass = async (request: IncomingMessage, response: ServerResponse) => {
		const service = serviceFor(request.url ?? "/");
		await turnOf(service);
		if (!request.destroyed) service.app.server.emit("request", request, response);
	};
	return {
		/** Makes it the turn of one: it has the news of those whose turn was before, as after the seconds that they take on a clock. */
		turnOf,
		async inject(request: InjectOptions): Promise<LightMyRequestResponse> {
			const url = request.url ?? request.path ?? "/";
			const service = serviceFor(typeof url === "string" ? url : url.pathname);
			await turnOf(service);
			return service.app.inject(request);
		},
		async address(port = 0): Promise<string> {
			listening ??= listen(port);
			return (await listening).address;
		},
		async close(): Promise<void> {
			const { server } = (await listening) ?? {};
			if (server === undefined) return;
			const closed = new Promise((resolve) => server.close(resolve));
			server.closeIdleConnections();
			// The services complete their answers; remaining connections are dropped.
			await Promise.all([api.close(), collect.close()]);
			server.closeAllConnections();
			await closed;
		},
	};
}

/** Turns are taken one after the other; a service that keeps the turn has no news. */
function takingTurns(first: Service): (service: Service) => Promise<void> {
	let last = first;
	let taken = Promise.resolve();
	return (service) => {
		taken = taken.then(async () => {
			if (service === last) return;
			await last.catchUp();
			await service.catchUp();
			last = service;
		});
		return taken;
	};
}
