import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { type AccountsApp, onBothEngines, type SignedIn } from "../../../../test/support/accounts-app.ts";
import { allowlistClient } from "../../../../test/support/allowlist-client.ts";

onBothEngines("Many patterns of an IP allowlist", (open) => {
	let app: AccountsApp;
	let owner: SignedIn;
	let at: ReturnType<typeof allowlistClient>;

	before(async () => {
		app = await open();
		owner = await app.user("Ann");
	});
	beforeEach(async () => {
		at = allowlistClient(app, owner, await app.site(owner));
	});
	after(() => app.close());

	test("of many patterns the good ones are kept, and the others say why", async () => {
		const patterns = [
			{ pattern: "203.0.113.7", label: "Office" },
			{ pattern: "nowhere" },
			{ pattern: "10.0.0.0/8", pattern_type: "cidr" },
			{ pattern: "203.0.113.7" },
		];
		const answer = await at.call("POST /patterns/bulk", { patterns });
		assert.equal(answer.status, 201);
		assert.deepEqual(answer.data, {
			success_count: 2,
			error_count: 2,
			errors: [
				{ index: 1, message: "Must be an IPv4 or IPv6 address" },
				{ index: 3, message: "The site has this pattern already" },
			],
		});
		for (const wrong of [[], Array.from({ length: 101 }, () => ({ pattern: "::1" }))]) {
			assert.deepEqual((await at.call("POST /patterns/bulk", { patterns: wrong })).faults, ["body.patterns"]);
		}
		const ids = (await at.call("GET /patterns")).data.patterns.map(({ id }: { id: number }) => id);
		const removal = await at.call("POST /patterns/bulk-delete", { pattern_ids: [...ids, 2_000_000_000] });
		assert.deepEqual(
			[removal.status, removal.data],
			[200, { success_count: 2, error_count: 1, errors: [{ index: 2, message: "Pattern not found" }] }],
		);
	});

	test("what is exported can be imported", async () => {
		const text = "203.0.113.7 # Office\n\n# nothing\n10.9.9.9/8\r\nnowhere\n203.0.113.7\n2001:db8::1#Home\n";
		const answer = await at.call("POST /import", { text, label_prefix: "Old" });
		assert.deepEqual(
			[answer.status, answer.data],
			[200, { success_count: 3, error_count: 1, errors: [{ index: 4, message: "Must be an IPv4 or IPv6 address" }] }],
		);
		const exported = await at.call("GET /export");
		assert.deepEqual(exported.data, {
			text: "203.0.113.7 # Old Office\n10.0.0.0/8 # Old\n2001:db8::1 # Old Home\n",
			count: 3,
		});
		const again = await at.call("POST /import", { text: exported.data.text, skip_duplicates: false });
		assert.deepEqual([again.data.success_count, again.data.error_count], [0, 3]);
		const other = allowlistClient(app, owner, await app.site(owner));
		assert.equal((await other.call("POST /import", { text: exported.data.text })).data.success_count, 3);
		assert.deepEqual((await other.call("GET /export")).data, exported.data);
		assert.deepEqual((await at.call("POST /import", { text: "x".repeat(50_001) })).faults, ["body.text"]);
	});

	test("a site has at most 1,000 patterns, 100 of them expressions", async () => {
		const lines = (count: number, line: (index: number) => string) =>
			Array.from({ length: count }, (_, index) => line(index)).join("\n");
		const text = lines(101, (index) => `10\\.0\\.0\\.${index}`);
		const expressions = (await at.call("POST /import", { text, default_pattern_type: "regex" })).data;
		assert.deepEqual(expressions, {
			success_count: 100,
			error_count: 1,
			errors: [{ index: 100, message: "A site has at most 100 regular expressions" }],
		});
		const { data } = await at.call("POST /import", {
			text: lines(901, (index) => `10.0.${index >> 8}.${index & 255}`),
		});
		assert.deepEqual(
			[data.success_count, data.errors],
			[900, [{ index: 900, message: "A site has at most 1000 patterns" }]],
		);
		assert.equal((await at.call("POST /patterns", { pattern: "::1" })).code, "conflict");
	});
});
