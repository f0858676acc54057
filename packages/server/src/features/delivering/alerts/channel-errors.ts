import type { Channel } from "./vocabulary.ts";

const SEPARATOR = "; ";

/** The errors of all channels in one text, with that of one channel replaced by another or by none; null when none is left. */
export function withChannelError(errors: string | null, channel: Channel, error: string | null): string | null {
	const known = errors === null ? [] : errors.split(SEPARATOR);
	const others = known.filter((one) => !one.startsWith(`${channel}: `));
	const all = error === null ? others : [...others, `${channel}: ${error}`];
	return all.length === 0 ? null : all.join(SEPARATOR);
}
