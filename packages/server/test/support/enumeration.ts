import { randomInt } from "node:crypto";
import { performance } from "node:perf_hooks";
import type { LightMyRequestResponse } from "fastify";
import { hashPassword, insertUser } from "../../src/features/people/users/index.ts";
import { signIn } from "./accounts.ts";
import { type Comparison, compareTimings } from "./compare-timings.ts";
import { type AddressKind, addressKinds, type Flow, type Owner } from "./enumeration-flows.ts";
import { freshAddress, provisionEnv } from "./provisioning.ts";
import { type TestApp, testApp } from "./test-app.ts";

const password = "correct horse battery staple 7";
const WARM_UP = 10;

/** A service to ask. */
interface EnumerationApp {
	readonly app: TestApp;
	readonly owner: Owner;
}

/** What a flow showed of one kind of address, compared with the first. */
export interface Finding extends Comparison {
	readonly kind: AddressKind;
	/** True when the time tells the kinds apart, in two measurements. */
	readonly isTold: boolean;
}

/** A service with `count` addresses of each known kind, and without limits. */
export async function enumerationApp(count: number): Promise<EnumerationApp> {
	const app = await testApp({ env: { ...provisionEnv, RATE_LIMIT_ENABLED: "false", REGISTRATION: "open" } });
	const passwordHash = await hashPassword(password);
	const now = app.clock.now();
	await app.metadata.transaction().execute(async (trx) => {
		for (const kind of addressKinds.slice(1)) {
			// As many again for a second measurement.
			for (let index = 0; index < 2 * (count + WARM_UP); index++) {
				await insertUser(trx, {
					email: addressOf(kind, index),
					name: "Somebody",
					role: "user",
					password_hash: kind === "passwordless" ? null : passwordHash,
					is_active: kind === "barred" ? 0 : 1,
					email_verified_at: kind === "waiting" || kind === "passwordless" ? null : now,
					two_factor_enabled_at: null,
					last_login_at: null,
					created_at: now,
					updated_at: now,
				});
			}
		}
	});
	return { app, owner: await ownerOf(app) };
}

async function ownerOf(app: TestApp): Promise<Owner> {
	const { headers } = await signIn(app, { email: "owner@example.com" });
	const options = { method: "POST", url: "/api/v1/organizations", headers, payload: { name: "Cats" } } as const;
	const response = await app.inject(options);
	return { slug: response.json().data.slug, headers, password };
}

/** Unknown addresses become known in some flows, so each flow has its own. */
const addressOf = (kind: AddressKind, index: number, flow = ""): string =>
	`${(kind === "unknown" ? flow : kind).slice(0, 16).replaceAll(" ", "-").padEnd(16, "-")}${index + 10_000}@example.com`;

/**
 * Whether a flow tells what kind an address is of: asks `tries` times for each kind, in an order that chance decides
 * anew each time, and once more where the times seem to differ. Answers all distinct answers too.
 */
export async function lookAt(
	on: EnumerationApp,
	flow: Flow,
	tries: number,
): Promise<{ readonly findings: Finding[]; readonly answers: string[] }> {
	const first = await measure(on, flow, { from: 0, tries });
	const [reference, ...others] = flow.kinds;
	const compare = (measured: typeof first, kind: AddressKind) =>
		compareTimings(measured.times.get(kind) ?? [], measured.times.get(reference) ?? []);
	const findings = others.map((kind) => ({ kind, ...compare(first, kind) }));
	const again = findings.some(({ differ }) => differ)
		? await measure(on, flow, { from: tries + WARM_UP, tries })
		: undefined;
	return {
		findings: findings.map((finding) => {
			const second = again && compare(again, finding.kind);
			return { ...finding, isTold: finding.differ && second?.differ === true };
		}),
		answers: [...new Set([...first.answers, ...(again?.answers ?? [])])],
	};
}

async function measure(on: EnumerationApp, flow: Flow, { from, tries }: { from: number; tries: number }) {
	const times = new Map(flow.kinds.map((kind): [AddressKind, number[]] => [kind, []]));
	const answers = new Set<string>();
	for (let index = 0; index < tries + WARM_UP; index++) {
		for (const kind of shuffled(flow.kinds)) {
			const { ms, response } = await timed(on, flow, addressOf(kind, from + index, flow.name));
			if (index >= WARM_UP) times.get(kind)?.push(ms);
			answers.add(comparable(response));
		}
	}
	return { times, answers };
}

async function timed({ app, owner }: EnumerationApp, flow: Flow, email: string) {
	const { headers, ...request } = flow.request(email, owner);
	const options = { method: "POST", ...request, headers: { ...headers, "x-forwarded-for": freshAddress() } } as const;
	const start = performance.now();
	const response = await app.inject(options);
	return { ms: performance.now() - start, response };
}

function shuffled<T>(items: readonly T[]): T[] {
	const left = [...items];
	return items.flatMap(() => left.splice(randomInt(left.length), 1));
}

/** Status, headers and body without what differs between any two answers: identifiers, and the address that was asked about. */
function comparable(response: LightMyRequestResponse): string {
	const { "x-request-id": _id, "content-length": _length, date: _date, ...headers } = response.headers;
	const body = response.body
		.replace(/"request_id":"[^"]+"/, "")
		.replace(/"timestamp":"[^"]+"/, "")
		.replace(/"invitation_id":\d+|"invitation_link":"[^"]+"/g, "")
		.replace(/[a-z-]{16}\d{5}@example\.com/g, "ADDRESS");
	return JSON.stringify([response.statusCode, headers, body]);
}
