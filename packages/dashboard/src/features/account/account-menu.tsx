import { useQuery } from "@tanstack/react-query";
import { UserRound } from "lucide-react";
import { lazily } from "../../lib/lazily.ts";

import { useLater } from "../../lib/use-later.ts";
import { Popover } from "../../ui/popover/popover.tsx";
import { meQuery } from "../site/index.ts";
import styles from "./account-menu.module.css";
import { t } from "./texts.ts";

/** The account panel: profile, appearance and sign-out. */
export const AccountPanel = lazily(async () => ({ default: (await import("./account-panel.tsx")).AccountPanel }));

/** A button with the user's initial that opens the account panel. */
export function AccountMenu() {
	const { data: me } = useQuery({ ...meQuery, enabled: useLater() });
	return (
		<Popover
			look="quiet"
			icon
			name={me ? `${t.account}: ${me.name}` : t.account}
			label={
				<span className={styles.initial} aria-hidden="true">
					{me ? [...me.name][0]?.toLocaleUpperCase() : <UserRound size={16} />}
				</span>
			}
		>
			{(close) => <AccountPanel close={close} />}
		</Popover>
	);
}
