import type { LightMyRequestResponse } from "fastify";
import type { AccountsApp } from "./accounts-app.ts";

/** A POST below the version prefix from a client address. */
export const postFrom = (
	app: AccountsApp,
	ip: string,
	path: string,
	payload: object,
): Promise<LightMyRequestResponse> => app.inject({ method: "POST", url: `/api/v1${path}`, payload, remoteAddress: ip });
