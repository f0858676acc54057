import assert from "node:assert/strict";
import { sql } from "kysely";
import { issueOneTimeToken } from "../../src/features/people/one-time-tokens/index.ts";
import { type AccessPeople, accessPeople, type Headers } from "./access-people.ts";
import { accessTargets, addressOf, targetsOf } from "./access-targets.ts";
import { operationsOf } from "./operations.ts";
import type { TestApp } from "./test-app.ts";
import { changeBodies } from "./write-samples.ts";

type TokenKind = Parameters<typeof issueOneTimeToken>[1];

interface Step {
	/** The org owner when absent. */
	readonly as?: Headers;
	readonly body?: object;
	/** Ids in place of the usual ones. */
	readonly ids?: Readonly<Record<string, string>>;
}

/** People who change things, watched for the entries that they leave. */
export interface AuditedWrites {
	readonly everybody: AccessPeople;
	/** Does something that must succeed and leave exactly these entries, a space between; answers the data. */
	does(route: string, actions: string, step?: Step): Promise<Record<string, string>>;
	/** A token as it is mailed. */
	oneTimeToken(kind: TokenKind, userId: number): Promise<string>;
	/** Routes that were called. */
	readonly covered: ReadonlySet<string>;
	/** Secrets that were shown once, or that only their owner knows. */
	readonly secrets: string[];
}

/** Fields of answers that hold a secret. */
const shownOnce = ["token", "access_token", "api_key", "secret", "invitation_link", "claim_url"];

export async function auditedWrites(app: TestApp): Promise<AuditedWrites> {
	const everybody = await accessPeople(app);
	const owner = everybody.sessions["org owner"];
	const tenant = { headers: owner, site: "shop", organization: "org-owner", userId: everybody.ids.member };
	const targets = await accessTargets(app, tenant);
	const operations = operationsOf(app);
	const covered = new Set<string>();
	const secrets: string[] = [];
	const does: AuditedWrites["does"] = async (route, actions, { as = owner, body, ids } = {}) => {
		const operation = operations.find((known) => known.route === route);
		assert.ok(operation, `${route} is no route`);
		const before = await lastEntry(app);
		const response = await app.inject({
			method: operation.method,
			url: addressOf(operation, { ...targetsOf(operation, targets), ...ids }, "shop"),
			headers: { ...as },
			...(operation.hasBody && { payload: body ?? changeBodies[route] ?? {} }),
		});
		assert.ok(response.statusCode < 300, `${route}: ${response.statusCode} ${response.body}`);
		assert.equal((await actionsAfter(app, before)).join(" "), actions, route);
		covered.add(route);
		if (response.statusCode === 204) return {};
		const answer = response.json();
		const data = answer.data ?? answer;
		secrets.push(...shownOnce.map((name) => data[name]).filter((value) => typeof value === "string" && value !== ""));
		return data;
	};
	const oneTimeToken = async (kind: TokenKind, userId: number) => {
		const { token } = await issueOneTimeToken(app.metadata, kind, userId, app.clock.now());
		secrets.push(token);
		return token;
	};
	return { everybody, does, oneTimeToken, covered, secrets };
}

async function lastEntry({ metadata }: TestApp): Promise<number> {
	const { rows } = await sql<{ id: number | null }>`select max(id) as id from audit_log`.execute(metadata);
	return Number(rows[0]?.id ?? 0);
}

async function actionsAfter({ metadata }: TestApp, id: number): Promise<string[]> {
	const { rows } = await sql<{ action: string }>`select action from audit_log where id > ${id} order by id`.execute(
		metadata,
	);
	return rows.map(({ action }) => action);
}
