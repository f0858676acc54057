/** Keeps a choice of the reader in a cookie for a year: the server writes it into the page before any script runs. */
export function remember(name: "footfall_lang" | "footfall_theme", value: string): void {
	// biome-ignore lint/suspicious/noDocumentCookie: the CookieStore that it recommends exists with HTTPS alone.
	document.cookie = `${name}=${value}; Path=/; Max-Age=31536000; SameSite=Lax`;
}
