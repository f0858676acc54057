import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type SignedIn, sharedAccountsApp } from "../../../../test/support/accounts-app.ts";
import { fieldsOf } from "../../../../test/support/refusals.ts";

const usual = {
	language: "en",
	theme: "system",
	week_start: "monday",
	density: "comfortable",
	default_site: null,
	pinned_sites: [],
	shortcuts: true,
};

describe("preferences", () => {
	const app = sharedAccountsApp();
	const read = async (as: SignedIn) => (await app.call("GET /users/me/preferences", { as })).json().data;
	const change = (as: SignedIn, body: object) => app.call("PATCH /users/me/preferences", { as, body });

	test("a user who never chose has the usual ones; a choice stays, each user's own", async () => {
		const [ann, bob] = [await app.user("Ann"), await app.user("Bob")];
		assert.deepEqual(await read(ann), usual);
		const chosen = { ...usual, theme: "dark", pinned_sites: ["shop", "blog"] };
		assert.deepEqual((await change(ann, { theme: "dark", pinned_sites: ["shop", "blog"] })).json().data, chosen);
		await change(ann, { language: "es" });
		assert.deepEqual([await read(ann), await read(bob)], [{ ...chosen, language: "es" }, usual]);
	});

	test("a value that is no choice is refused by its name, and changes nothing", async () => {
		const ann = await app.user("Ann");
		for (const [body, field] of [
			[{}, "body"],
			[{ theme: "pink" }, "body.theme"],
			[{ language: "de" }, "body.language"],
			[{ pinned_sites: ["shop", "shop"] }, "body.pinned_sites"],
			[{ pinned_sites: Array.from({ length: 51 }, (_, n) => `site-${n}`) }, "body.pinned_sites"],
			[{ shortcuts: "perhaps" }, "body.shortcuts"],
			[{ default_site: "x" }, "body.default_site"],
		] as const) {
			assert.deepEqual(fieldsOf(await change(ann, body)), [422, field]);
		}
		assert.deepEqual(await read(ann), usual);
	});
});
