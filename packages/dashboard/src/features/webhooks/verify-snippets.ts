/** Languages in which a check of the signature is given. */
export const snippetLanguages = ["node", "python", "php", "curl"] as const;
export type SnippetLanguage = (typeof snippetLanguages)[number];

/** A call that a receiver got. */
export interface SignedCall {
	/** The body as it was sent. */
	readonly body: string;
	/** Unix seconds that were signed along with it. */
	readonly timestamp: number;
	readonly url: string;
}

/** A text as a literal of JavaScript and Python: JSON is valid in both. */
const quoted = (text: string): string => JSON.stringify(text);
const php = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
const shell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const snippets: Readonly<Record<SnippetLanguage, (call: SignedCall) => string>> = {
	node: ({ body, timestamp }) => `import { createHmac, timingSafeEqual } from "node:crypto";

const { WEBHOOK_SECRET, SIGNATURE } = process.env;
const timestamp = "${timestamp}";
const rawBody = ${quoted(body)};

const expected = \`sha256=\${createHmac("sha256", WEBHOOK_SECRET).update(\`\${timestamp}.\`).update(rawBody).digest("hex")}\`;
const [a, b] = [Buffer.from(expected), Buffer.from(SIGNATURE)];
console.log(a.length === b.length && timingSafeEqual(a, b) ? "authentic" : \`forged, expected \${expected}\`);`,
	python: ({ body, timestamp }) => `import hashlib, hmac, os

timestamp = "${timestamp}"
raw_body = ${quoted(body)}.encode()

signed = timestamp.encode() + b"." + raw_body
expected = "sha256=" + hmac.new(os.environ["WEBHOOK_SECRET"].encode(), signed, hashlib.sha256).hexdigest()
ok = hmac.compare_digest(expected, os.environ["SIGNATURE"])
print("authentic" if ok else f"forged, expected {expected}")`,
	php: ({ body, timestamp }) => `<?php
$timestamp = '${timestamp}';
$rawBody = ${php(body)};

$expected = 'sha256=' . hash_hmac('sha256', $timestamp . '.' . $rawBody, getenv('WEBHOOK_SECRET'));
echo hash_equals($expected, getenv('SIGNATURE')) ? "authentic\\n" : "forged, expected $expected\\n";`,
	curl: ({ body, url }) => `BODY=${shell(body)}
TIMESTAMP=$(date +%s)
SIGNATURE=$(printf '%s.%s' "$TIMESTAMP" "$BODY" | openssl dgst -sha256 -hmac "$WEBHOOK_SECRET" | sed 's/^.* //')
curl -i ${shell(url)} -H 'Content-Type: application/json' \\
  -H "X-Service-Timestamp: $TIMESTAMP" -H "X-Service-Signature: sha256=$SIGNATURE" --data-raw "$BODY"`,
};

/** A program that checks the signature of one call, or with curl repeats the call with a new signature. */
export const verifySnippet = (language: SnippetLanguage, call: SignedCall): string => snippets[language](call);
