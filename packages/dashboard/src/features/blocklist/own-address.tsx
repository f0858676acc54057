import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { call } from "../../api/client.ts";
import { Button } from "../../ui/button/button.tsx";
import { meQuery } from "../site/index.ts";
import styles from "./blocklist.module.css";
import { t } from "./texts.ts";
import { type Entry, useBlocklist } from "./use-blocklist.ts";

interface OwnAddressProps {
	readonly site: string;
	readonly mayWrite: boolean;
	readonly entries: readonly Entry[];
}

/** Where the reader is, and the way to leave oneself out. */
export function OwnAddress({ site, mayWrite, entries }: OwnAddressProps) {
	const { data: me } = useSuspenseQuery(meQuery);
	const { add, change } = useBlocklist(site);
	const { data } = useQuery({
		queryKey: ["GET /utils/my-ip"],
		queryFn: ({ signal }) => call("GET /utils/my-ip", { signal }),
	});
	if (data === undefined) return null;
	const entry = entries.find(({ ip_or_cidr: address }) => address === data.ip);
	const leaveOut = () =>
		entry === undefined
			? add.run({ ip_or_cidr: data.ip, reason: t.me(me.name) })
			: change.run({ entry, to: { is_active: true } });
	return (
		<div className={styles.own}>
			<p>
				{t.own(data.ip)} {entry === undefined ? unlisted(entries) : entry.is_active ? t.ownThere : t.ownPaused}
			</p>
			{mayWrite && entry?.is_active !== true && (
				<Button small onClick={leaveOut} disabled={add.isBusy || change.isBusy}>
					{t.leaveOut}
				</Button>
			)}
		</div>
	);
}

const unlisted = (entries: readonly Entry[]): string =>
	entries.some(({ ip_or_cidr: address, is_active: isActive }) => isActive && address.includes("/"))
		? t.ownUnsure
		: t.ownCounted;
