import assert from "node:assert/strict";
import { test } from "node:test";
import { isAuthorizedHost, isSameSite } from "./same-site.ts";

test("a domain authorizes itself and its subdomains, nothing that merely ends alike", () => {
	assert.equal(isAuthorizedHost("example.com", ["example.com"]), true);
	assert.equal(isAuthorizedHost("shop.example.com", ["other.org", "example.com"]), true);
	assert.equal(isAuthorizedHost("badexample.com", ["example.com"]), false);
	assert.equal(isAuthorizedHost("example.com", ["shop.example.com"]), false);
	assert.equal(isAuthorizedHost("example.com.evil.org", ["example.com"]), false);
});

test("without domains every host is authorized", () => {
	assert.equal(isAuthorizedHost("anything.example", []), true);
});

test("each authorized domain is the same site", () => {
	assert.equal(isSameSite("example.org", "example.com", ["example.com", "example.org"]), true);
	assert.equal(isSameSite("blog.example.com", "shop.example.com", ["example.com"]), true);
	assert.equal(isSameSite("google.com", "example.com", ["example.com"]), false);
});

test("without domains the page's host, its parents and subdomains are the same site", () => {
	assert.equal(isSameSite("example.com", "example.com", []), true);
	assert.equal(isSameSite("shop.example.com", "example.com", []), true);
	assert.equal(isSameSite("example.com", "shop.example.com", []), true);
	assert.equal(isSameSite("google.com", "example.com", []), false);
});
