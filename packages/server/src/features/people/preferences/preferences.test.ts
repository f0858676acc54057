import assert from "node:assert/strict";
import { test } from "node:test";
import { signIn } from "../../../../test/support/accounts.ts";
import { appOnBothEngines } from "../../../../test/support/app-on-both-engines.ts";

const url = "/api/v1/users/me/preferences";
const usual = {
	language: "en",
	theme: "system",
	week_start: "monday",
	density: "comfortable",
	default_site: null,
	pinned_sites: [],
	shortcuts: true,
};

appOnBothEngines("preferences", (open) => {
	test("a user who never chose has the usual ones; what is chosen stays, each user's own", async (t) => {
		const app = await open();
		t.after(() => app.close());
		const ann = await signIn(app);
		const bob = await signIn(app, { email: "bob@example.com", name: "Bob" });
		const read = async ({ headers }: typeof ann) => (await app.inject({ url, headers })).json().data;
		const change = (payload: object) => app.inject({ method: "PATCH", url, headers: ann.headers, payload });
		assert.deepEqual(await read(ann), usual);
		const first = await change({ theme: "dark", pinned_sites: ["shop", "blog"] });
		assert.deepEqual(first.json().data, { ...usual, theme: "dark", pinned_sites: ["shop", "blog"] });
		const [one, other] = await Promise.all([change({ language: "es" }), change({ default_site: "shop" })]);
		assert.deepEqual([one.statusCode, other.statusCode], [200, 200]);
		assert.deepEqual(await read(ann), {
			...usual,
			language: "es",
			theme: "dark",
			default_site: "shop",
			pinned_sites: ["shop", "blog"],
		});
		assert.deepEqual(await read(bob), usual);
	});

	test("what is no choice is refused by its name, and changes nothing", async (t) => {
		const app = await open();
		t.after(() => app.close());
		const { headers } = await signIn(app);
		const faults = [
			[{}, "body"],
			[{ theme: "pink" }, "body.theme"],
			[{ language: "de" }, "body.language"],
			[{ pinned_sites: ["shop", "shop"] }, "body.pinned_sites"],
			[{ pinned_sites: Array.from({ length: 51 }, (_, n) => `site-${n}`) }, "body.pinned_sites"],
			[{ shortcuts: "perhaps" }, "body.shortcuts"],
			[{ default_site: "x" }, "body.default_site"],
		] as const;
		for (const [payload, field] of faults) {
			const answer = await app.inject({ method: "PATCH", url, headers, payload });
			assert.deepEqual([answer.statusCode, answer.json().error.detail[0].field], [422, field]);
		}
		assert.deepEqual((await app.inject({ url, headers })).json().data, usual);
	});
});
