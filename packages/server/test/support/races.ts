import assert from "node:assert/strict";
import { test } from "node:test";
import type { LightMyRequestResponse } from "fastify";
import { type AccountsApp, sharedOnBothEngines } from "./accounts-app.ts";

type Send = () => Promise<LightMyRequestResponse>;

/** Requests, with a check of their answers and of the state after them. */
interface Begun {
	readonly requests: readonly Send[];
	check?(answers: readonly LightMyRequestResponse[]): Promise<void>;
}

/** Requests that are sent at the same time. */
export interface Race {
	readonly title: string;
	/** Prepares the requests. */
	begin(app: AccountsApp): Promise<Begun | readonly Send[]>;
	/** All statuses, the lowest first. */
	readonly statuses: RegExp;
}

/** The same request several times. */
export const times = (count: number, send: Send): readonly Send[] => Array.from({ length: count }, () => send);

/** Runs each race on SQLite, and on PostgreSQL when there is one. */
export function raceOnBothEngines(
	title: string,
	races: readonly Race[],
	env: Readonly<Record<string, string>> = {},
): void {
	sharedOnBothEngines(title, env, (app) => {
		for (const race of races) {
			test(race.title, async () => {
				const begun = await race.begin(app);
				const { requests, check }: Begun = "requests" in begun ? begun : { requests: begun };
				const answers = await Promise.all(requests.map((send) => send()));
				const statuses = answers.map(({ statusCode }) => statusCode).sort();
				assert.match(statuses.join(" "), race.statuses);
				await check?.(answers);
			});
		}
	});
}
