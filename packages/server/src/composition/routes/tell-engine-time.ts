import type { FastifyRequest } from "fastify";
import { type EngineWork, notingWork } from "../../analytics/query/engine/engine-work.ts";
import type { App } from "../../platform/http/app.ts";

/** Makes each answer of the scope for which the engine was asked tell how long it worked (`Server-Timing`). */
export function tellEngineTime(scope: App): void {
	const works = new WeakMap<FastifyRequest, EngineWork>();
	scope.addHook("preHandler", (request, _reply, done) => {
		const { explain } = request.query as { readonly explain?: unknown };
		notingWork(explain === true, (work) => {
			works.set(request, work);
			done();
		});
	});
	scope.addHook("onSend", (request, reply, _payload, done) => {
		const work = works.get(request);
		if (work !== undefined && work.statements > 0) reply.header("server-timing", `engine;dur=${work.ms.toFixed(1)}`);
		done();
	});
}
