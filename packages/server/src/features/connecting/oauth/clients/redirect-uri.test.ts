import assert from "node:assert/strict";
import { test } from "node:test";
import { redirectHost, redirectUriFault, withAnswer } from "./redirect-uri.ts";

test("an app may be at an https address, on loopback, or behind a scheme of its own", () => {
	const good = [
		"https://app.example/callback",
		"https://app.example",
		"https://app.example:8443/cb?tenant=1",
		"http://127.0.0.1:33418/",
		"http://[::1]:5000/cb",
		"http://localhost/callback",
		"com.example.app:/oauth",
		"com.example.app://oauth/callback",
		"cursor://anysphere.cursor-retrieval/oauth/callback",
	];
	for (const uri of good) assert.equal(redirectUriFault(uri), undefined, uri);
});

test("every other address is refused, with what is wrong about it", () => {
	const bad: Readonly<Record<string, string>> = {
		"": "is not a URL",
		"/callback": "is not a URL",
		"app.example/callback": "is not a URL",
		" https://app.example/": "is not a URL",
		"https://app.example/a b": "is not a URL",
		"https://app.example\\@evil.example/": "is not a URL",
		"https://app.example/ä": "is not a URL",
		"https://app.example/#token": "has a fragment",
		"https://app.example/#": "has a fragment",
		"https://ann:secret@app.example/": "has a user name or password",
		"https://app.example@evil.example/": "has a user name or password",
		"https:app.example/cb": "names no host",
		"https:///app.example/cb": "names no host",
		"https://*.app.example/cb": "names no host",
		"http://app.example/": "begins with http:// and is not loopback",
		"http://127.0.0.2/": "begins with http:// and is not loopback",
		"http://localhost.evil.example/": "begins with http:// and is not loopback",
		"http://0.0.0.0/": "begins with http:// and is not loopback",
		"javascript:alert(1)": "has a scheme that is not private to an app",
		"JavaScript:alert(1)": "has a scheme that is not private to an app",
		"data:text/html,x": "has a scheme that is not private to an app",
		"ms-msdt:/id": "has a scheme that is not private to an app",
		"zoommtg://x": "has a scheme that is not private to an app",
		"file:///etc/passwd": "has a scheme that is not private to an app",
		"mailto:ann@example.com": "has a scheme that is not private to an app",
		[`https://app.example/${"x".repeat(1000)}`]: "has more than 1000 characters",
	};
	for (const [uri, fault] of Object.entries(bad)) assert.equal(redirectUriFault(uri), fault, uri);
});

test("an answer is added to what the app wrote, which stays as it is", () => {
	const answer = { code: "a b", state: undefined, iss: "https://stats.example" };
	const added = "code=a+b&iss=https%3A%2F%2Fstats.example";
	const addresses: Readonly<Record<string, string>> = {
		"https://app.example": `https://app.example?${added}`,
		"https://APP.example/cb?x=%2F": `https://APP.example/cb?x=%2F&${added}`,
		"https://app.example/cb?": `https://app.example/cb?${added}`,
		"https://app.example/cb?x=1&": `https://app.example/cb?x=1&${added}`,
		"com.example.app:/cb": `com.example.app:/cb?${added}`,
	};
	for (const [uri, expected] of Object.entries(addresses)) assert.equal(withAnswer(uri, answer), expected);
});

test("the consent page names a host, or the scheme of an app", () => {
	assert.equal(redirectHost("https://app.example:8443/cb"), "app.example:8443");
	assert.equal(redirectHost("http://127.0.0.1:5000/"), "127.0.0.1:5000");
	assert.equal(redirectHost("cursor://oauth/cb"), "cursor:");
});
