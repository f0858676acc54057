import assert from "node:assert/strict";
import { test } from "node:test";
import { html } from "./html.ts";

test("a text is never markup, neither between tags nor in an attribute", () => {
	const text = `"><script>alert('1')</script>&amp;`;
	const escaped = "&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;amp;";
	assert.equal(String(html`<p title="${text}">${text}</p>`), `<p title="${escaped}">${escaped}</p>`);
});

test("markup of a template stays, lists are joined, nothing leaves nothing", () => {
	const items = ["a", "<b>"].map((item) => html`<li>${item}</li>`);
	assert.equal(String(html`<ul>${items}</ul>${undefined}${false}${0}`), "<ul><li>a</li><li>&lt;b&gt;</li></ul>0");
});

test("what only looks like markup is text", () => {
	const forged = { toString: () => "<script>" } as unknown as string;
	assert.throws(() => html`${forged}`, TypeError);
	assert.equal(String(html`${["<i>"]}`), "&lt;i&gt;");
});
