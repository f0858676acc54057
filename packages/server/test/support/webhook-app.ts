import { after, before, beforeEach, mock } from "node:test";
import { systemClock } from "../../src/platform/lib/clock.ts";
import {
	createGuardedFetch,
	type GuardedFetch,
	type OutboundRequest,
} from "../../src/platform/outbound/guarded-fetch.ts";
import { type AccountsApp, accountsApp } from "./accounts-app.ts";
import { renewSession } from "./renew-session.ts";
import { createTeam, type Team } from "./team.ts";
import { openWebhookReceiver, type WebhookReceiver } from "./webhook-receiver.ts";

/** The service with two tenants and a receiver that they may reach. */
export type WebhookApp = Awaited<ReturnType<typeof openWebhookApp>>;

interface Caller {
	/** Of those who sign in. */
	readonly id?: number;
	readonly headers: Readonly<Record<string, string>>;
}
type Body = ReturnType<typeof JSON.parse>;

const allEvents = ["alert.triggered", "alert.resolved", "export.completed", "export.failed", "goal.reached"];

/** The service for the tests of a file or a suite, each of which finds no endpoints on `shop`. */
export function webhookApp(engine: "sqlite" | "postgres" = "sqlite"): WebhookApp {
	const hooks = { lateness: 0 } as WebhookApp;
	let random: { readonly mock: { restore(): void } } | undefined;
	before(async () => {
		random = mock.method(Math, "random", () => hooks.lateness);
		Object.assign(hooks, await openWebhookApp(engine));
	});
	beforeEach(async () => {
		const { endpoints } = (await hooks.call("GET /webhooks?include_inactive=true&limit=200")).body;
		for (const { id } of endpoints) await hooks.retire(id);
	});
	after(async () => {
		await hooks.close();
		random?.mock.restore();
	});
	return hooks;
}

/** The service on one engine. */
export async function openWebhookApp(engine: "sqlite" | "postgres") {
	const receiver = await openWebhookReceiver();
	const network = createGuardedFetch({
		clock: systemClock,
		allowPrivate: true,
		extraCertificates: [receiver.certificate],
	});
	const guard = createGuardedFetch({ clock: systemClock, allowPrivate: false });
	const sent: OutboundRequest[] = [];
	const guardedFetch: GuardedFetch = {
		// Addresses are judged as in production, but for the receiver's own.
		urlFault: (url) => (url.startsWith(`${receiver.url}/`) ? undefined : guard.urlFault(url)),
		send: (request) => {
			sent.push(request);
			return (request.url.startsWith("https://localhost") ? network : guard).send(request);
		},
		close: () => network.close(),
	};
	const app = await accountsApp({ onPostgres: engine === "postgres", openFetch: () => guardedFetch });
	const team = await createTeam(app);
	const close = async () => {
		await app.close();
		await Promise.all([guard.close(), receiver.close()]);
	};
	// `sent` are the requests to the network; `lateness` says from 0 to 1 how late further attempts come.
	return { app, team, receiver, sent, lateness: 0, ...actionsOf(app, team, receiver), close };
}

function actionsOf(app: AccountsApp, team: Team, receiver: WebhookReceiver) {
	/** A call on the site `shop`, whose parameter is added. */
	const call = async (
		route: string,
		{ as = team.ann, site = "shop", body }: { as?: Caller; site?: string; body?: unknown } = {},
	) => {
		const address = `${route}${route.includes("?") ? "&" : "?"}account_id=${site}`;
		// Tests move the clock by days, and a session lasts minutes.
		const headers = as.id === undefined ? as.headers : await renewSession(app, as.id);
		const response = await app.call(address, { headers, body });
		const answer: Body = response.body === "" ? undefined : response.json();
		const faults: string[] = (answer?.error?.detail ?? []).map(({ field }: { field: string }) => field);
		return { status: response.statusCode, body: answer, code: answer?.error?.code, faults };
	};
	/** Deliveries of an endpoint, newest first. */
	const deliveriesOf = async (id: string, query = ""): Promise<Body> =>
		(await call(`GET /webhooks/${id}/deliveries${query}`)).body.deliveries;
	return {
		call,
		deliveriesOf,
		latest: async (id: string): Promise<Body> => (await deliveriesOf(id))[0],
		/** The clock's time as answers have it. */
		now: () => new Date(app.clock.now()).toISOString(),
		retire: (id: string) => call(`DELETE /webhooks/${id}`),
		/** Adds an endpoint that leads to a path of the receiver, for every event. */
		endpoint: async (path: string, fields: object = {}): Promise<Readonly<Record<"id" | "secret", string>>> => {
			const body = { name: "Hook", url: receiver.url + path, event_types: allEvents, ...fields };
			const answer = await call("POST /webhooks", { body });
			if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
			return answer.body;
		},
		/** Announces an event, and does what is due. */
		announce: async (siteId = "shop") => {
			await app.metadata.transaction().execute((trx) => app.events.announce(trx, exportFailed(siteId)));
			await app.jobs.runDue();
		},
		/** Moves the clock and does what is due. */
		later: async (ms: number) => {
			app.clock.advance(ms);
			await app.jobs.runDue();
		},
		/** The calls that a path of the receiver got. */
		got: (path: string) => receiver.received.filter((call) => call.path === path),
	};
}

const exportFailed = (siteId: string) =>
	({
		type: "export.failed",
		siteId,
		data: { export_id: "e1", export_type: "pages", error_message: "Ünglück", failed_at: "2026-11-21T12:00:00.000Z" },
	}) as const;
