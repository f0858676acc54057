import { type Html, html } from "../../../platform/http/pages/html.ts";

/** An app that asks for access, as far as it is known. All of it was chosen by the author of the app. */
export interface AskingClient {
	readonly clientId: string;
	readonly clientName: string;
	/** Where the answer goes. */
	readonly redirectUri: string;
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

type Destination = Pick<AskingClient, "redirectUri">;

/** True when the answer stays on the device: it goes to a program that listens there, or that a scheme starts. */
export function staysOnDevice({ redirectUri }: Destination): boolean {
	const { protocol, hostname } = new URL(redirectUri);
	return protocol !== "https:" || LOOPBACK.test(hostname);
}

/** Where the answer goes, in words that cannot be mistaken for a link or for another host. */
export function destinationOf(client: Destination): Html {
	const { protocol, host } = new URL(client.redirectUri);
	const place = html`<strong>${protocol === "http:" || protocol === "https:" ? host : protocol}</strong>`;
	return staysOnDevice(client) ? html`an app on this device (${place})` : place;
}

/** Warning about the identity of the app's operator: known by a document at an address of its own, or not at all. */
export function warningOn({ clientId, redirectUri }: AskingClient): Html {
	if (clientId.startsWith("https://")) {
		const onDevice = LOOPBACK.test(new URL(redirectUri).hostname);
		const impostors = onDevice ? html` Any program on this device could use that name.` : html``;
		return html`<p>The app is described at <strong>${new URL(clientId).host}</strong>. It has not been reviewed.${impostors}</p>`;
	}
	return html`<p>The app chose its own name and has not been reviewed. Continue only if you started this
yourself, and want ${destinationOf({ redirectUri })} to read your statistics.</p>`;
}
