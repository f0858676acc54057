import { createHash } from "node:crypto";

const style = `
:root { color-scheme: light dark; font: 1.05rem/1.5 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 26rem; padding: 3rem 1.25rem; }
label { display: block; font-weight: 600; margin-top: 1.25rem; }
input { box-sizing: border-box; font: inherit; margin-top: 0.25rem; padding: 0.6rem; width: 100%; }
button { font: inherit; font-weight: 600; margin-top: 1.75rem; padding: 0.7rem 1.25rem; }
.hint { font-weight: 400; margin: 0.25rem 0 0; opacity: 0.8; }
.error { border-left: 0.3rem solid #c62828; margin-top: 1rem; padding: 0.25rem 0.75rem; }
`;

/** Content security policy of these pages: no script, no other source, the form goes back to where it came from. */
export const setupPagePolicy = [
	"default-src 'none'",
	`style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
	"form-action 'self'",
	"base-uri 'none'",
	"frame-ancestors 'none'",
].join("; ");

/** What the form showed when it was sent; the password is never written back. */
export interface SetupForm {
	readonly token: string;
	readonly name: string;
	readonly email: string;
	/** One sentence on what is wrong. */
	readonly error?: string;
}

const entities: Readonly<Record<string, string>> = {
	"&": "&amp;",
	"<": "&lt;",
	">": "&gt;",
	'"': "&quot;",
	"'": "&#39;",
};
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? character);

const page = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} – Footfall</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`;

/** The form that creates the first account. */
export const setupFormPage = ({ token, name, email, error }: SetupForm): string =>
	page(
		"Create the first account",
		`<p>This account may do everything on this server.</p>
${error === undefined ? "" : `<p class="error" role="alert" id="error">${escapeHtml(error)}</p>`}
<form method="post" action="/setup">
<input type="hidden" name="token" value="${escapeHtml(token)}">
<label for="name">Your name</label>
<input id="name" name="name" value="${escapeHtml(name)}" required maxlength="255" autocomplete="name">
<label for="email">E-mail address</label>
<input id="email" name="email" type="email" value="${escapeHtml(email)}" required maxlength="254" autocomplete="username">
<label for="password">Password</label>
<input id="password" name="password" type="password" required minlength="12" maxlength="128" autocomplete="new-password" aria-describedby="hint">
<p class="hint" id="hint">At least 12 characters. A few unrelated words make a good one.</p>
<button type="submit">Create account</button>
</form>`,
	);

/** Shown once the account exists. */
export const setupDonePage = (email: string): string =>
	page(
		"The account is ready",
		`<p>You can now sign in as <strong>${escapeHtml(email)}</strong>.</p>
<p><a href="/docs">Read how to use the API</a></p>`,
	);

/** Shown for a link that was used, replaced or never existed. */
export const setupLinkDeadPage = (): string =>
	page(
		"This link is no longer valid",
		"<p>It works once, and only until the first account exists. Without an account, restart the server: it prints a new link.</p>",
	);
