import type { Metadata } from "../../../platform/metadata/metadata.ts";
import {
	endOneTimeTokens,
	findOneTimeToken,
	issueOneTimeToken,
	takeOneTimeToken,
} from "../../people/one-time-tokens/index.ts";

/** An invitation has two secrets: the mailed one, which proves who reads the mails to the address, and the one that its sender is shown. */
const kinds = ["invitation", "invitation_link"] as const;

interface LinkToken {
	/** Id of the invitation, as text. */
	readonly subject: string;
	readonly isExpired: boolean;
	/** True for the secret that was mailed. */
	readonly isMailed: boolean;
}

/** A new mailed secret, which ends all earlier ones; it lives for seven days. */
export async function issueMailedToken(metadata: Metadata, invitationId: number, nowMs: number) {
	await endLinkTokens(metadata, invitationId);
	return issueOneTimeToken(metadata, "invitation", invitationId, nowMs);
}

/** A secret to show to the inviter, beside the mailed one. */
export const issueShownToken = (metadata: Metadata, invitationId: number, nowMs: number) =>
	issueOneTimeToken(metadata, "invitation_link", invitationId, nowMs);

/** State of a secret; undefined if it is unknown, used or replaced. */
export async function findLinkToken(metadata: Metadata, token: string, nowMs: number): Promise<LinkToken | undefined> {
	for (const kind of kinds) {
		const state = await findOneTimeToken(metadata, kind, token, nowMs);
		if (state !== undefined) return { ...state, isMailed: kind === "invitation" };
	}
	return undefined;
}

/** Uses a secret up; false when it is unknown, used or expired. The other one tells from then on that it is too late. */
export async function takeLinkToken(metadata: Metadata, token: string, nowMs: number): Promise<boolean> {
	for (const kind of kinds) {
		if ((await takeOneTimeToken(metadata, kind, token, nowMs)) !== undefined) return true;
	}
	return false;
}

export async function endLinkTokens(metadata: Metadata, invitationId: number): Promise<void> {
	for (const kind of kinds) await endOneTimeTokens(metadata, kind, invitationId);
}
