import type { Config } from "./config.ts";

/** The address under which people reach the service, without a slash at its end: where links in mails lead. */
export function rootUrl({ publicUrl, host, port }: Pick<Config, "publicUrl" | "host" | "port">): string {
	if (publicUrl !== undefined) return publicUrl;
	const isEveryInterface = host === "0.0.0.0" || host === "::";
	const name = isEveryInterface ? "localhost" : host.includes(":") ? `[${host}]` : host;
	return `http://${name}:${port}`;
}
