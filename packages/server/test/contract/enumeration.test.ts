import assert from "node:assert/strict";
import { createHook } from "node:async_hooks";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { after, test } from "node:test";
import { hashPassword } from "../../src/features/people/users/index.ts";
import { askAbout, comparable, enumerationApp, flows } from "../support/enumeration.ts";
import { withoutRequest } from "../support/metadata-snapshot.ts";
import { isSplit } from "../support/test-app.ts";

/** The costly work of a request: passwords hashed, and statements in the words of `statementOf`. */
interface Work {
	readonly hashes: number;
	readonly statements: readonly string[];
}

async function workOf<T>(call: () => Promise<T>): Promise<readonly [T, Work]> {
	let hashes = 0;
	const statements: string[] = [];
	const hook = createHook({
		// Native work of the hashing library, which gives it no name.
		init: (_id, type) => {
			if (type === "undefined") hashes += 1;
		},
	});
	const note = (message: unknown) => statements.push(statementOf(Object(message).sql));
	subscribe("sqlite.db.query", note);
	hook.enable();
	try {
		const result = await call();
		return [result, { hashes, statements: statements.filter(isOfRequest).sort() }];
	} finally {
		hook.disable();
		unsubscribe("sqlite.db.query", note);
	}
}

/** Verb and table of a statement: `insert users`. */
function statementOf(sql: string): string {
	const [, verb = sql, table = ""] = /^\s*(insert into|delete from|update|select\b.*?\bfrom) "?(\w+)/s.exec(sql) ?? [];
	return `${verb.split(" ")[0]} ${table}`.trim();
}
/** Tables that processes read and write by themselves. */
const byThemselves = ["setting_versions", ...withoutRequest];
const isOfRequest = (statement: string) => !byThemselves.some((table) => statement.endsWith(` ${table}`));

const on = await enumerationApp(2);
after(() => on.app.close());

test("a hash of a password is counted", async () => {
	const [, { hashes }] = await workOf(() => hashPassword("a password"));
	assert.equal(hashes, 1);
});

for (const flow of flows) {
	const { name, kinds, hashes, ofFirst = [], ofOthers = [] } = flow;
	test(`${name} answers alike and does the same work for ${kinds.join(", ")}`, async () => {
		const answers = new Set<string>();
		const works: Work[] = [];
		for (const kind of kinds) {
			// The first request of a process prepares what later ones use again.
			await askAbout(on, flow, kind, 0);
			const [response, work] = await workOf(() => askAbout(on, flow, kind, 1));
			answers.add(comparable(response));
			works.push(work);
		}
		if (flow.answersDiffer !== true) assert.deepEqual([...answers].slice(1), []);
		assert.deepEqual([...new Set(works.map((work) => work.hashes))], [hashes]);
		// On PostgreSQL the statements are not seen.
		if (isSplit) return;
		const [first, ...others] = works.map(({ statements }) => statements);
		for (const statements of others) {
			assert.ok(statements.length > 3, statements.join());
			assert.deepEqual([...statements, ...ofFirst].sort(), [...(first ?? []), ...ofOthers].sort());
		}
	});
}
