import {
	Client,
	type OAuthClientInformationMixed,
	type OAuthClientProvider,
	type OAuthDiscoveryState,
	type OAuthTokens,
	StreamableHTTPClientTransport,
	UnauthorizedError,
} from "@modelcontextprotocol/client";

/** State of an assistant between two visits, all managed by the official client. */
export interface Assistant {
	readonly provider: OAuthClientProvider;
	/** Where the user is to be sent. */
	authorizationUrl(): URL;
	tokens(): OAuthTokens;
	clientId(): string;
}

/** An assistant that has never been here. */
export function newAssistant(callback: string): Assistant {
	let client: OAuthClientInformationMixed | undefined;
	let tokens: OAuthTokens | undefined;
	let verifier = "";
	let url: URL | undefined;
	let discovery: OAuthDiscoveryState | undefined;
	const provider: OAuthClientProvider = {
		redirectUrl: callback,
		clientMetadata: {
			client_name: "Test assistant",
			redirect_uris: [callback],
			token_endpoint_auth_method: "none",
			grant_types: ["authorization_code", "refresh_token"],
			response_types: ["code"],
		},
		state: () => "a-state-of-the-assistant",
		clientInformation: () => client,
		saveClientInformation: (given) => {
			client = given;
		},
		tokens: () => tokens,
		saveTokens: (given) => {
			tokens = given;
		},
		redirectToAuthorization: (to) => {
			url = to;
		},
		saveCodeVerifier: (given) => {
			verifier = given;
		},
		codeVerifier: () => verifier,
		saveDiscoveryState: (given) => {
			discovery = given;
		},
		discoveryState: () => discovery,
		invalidateCredentials: (what) => {
			if (what === "tokens" || what === "all") tokens = undefined;
		},
	};
	return {
		provider,
		authorizationUrl: () => must(url),
		tokens: () => must(tokens),
		clientId: () => must(client).client_id,
	};
}

function must<T>(value: T | undefined): T {
	if (value === undefined) throw new Error("the client did not come that far");
	return value;
}

/** A connection attempt: the client when it got in, else the transport that waits for the user's answer. */
export async function connect(
	root: string,
	{ provider }: Assistant,
	mode: "legacy" | "auto",
): Promise<
	| { readonly client: Client; readonly waiting?: never }
	| { readonly waiting: StreamableHTTPClientTransport; readonly client?: never }
> {
	const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
	const transport = new StreamableHTTPClientTransport(new URL(`${root}/mcp`), { authProvider: provider });
	try {
		await client.connect(transport);
		return { client };
	} catch (error) {
		if (error instanceof UnauthorizedError) return { waiting: transport };
		throw error;
	}
}
