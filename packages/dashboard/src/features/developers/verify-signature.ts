/** How a receiver tells requests of webhooks from forged ones, in Node.js. */
export const verifySignature = `import { createHmac, timingSafeEqual } from "node:crypto";

export function isAuthentic(secret, headers, rawBody) {
  const timestamp = headers["x-service-timestamp"];
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300)) return false;
  const digest = createHmac("sha256", secret)
    .update(\`\${timestamp}.\`).update(rawBody).digest("hex");
  const a = Buffer.from(\`sha256=\${digest}\`);
  const b = Buffer.from(headers["x-service-signature"] ?? "");
  return a.length === b.length && timingSafeEqual(a, b);
}`;
